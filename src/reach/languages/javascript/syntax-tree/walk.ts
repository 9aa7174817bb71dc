import { addTo } from '../../../lockfiles/group-by.js';
import { forEachChild, isNode, isOfType, nameOf, type SyntaxNode } from './nodes.js';
import { enterScope, type Scope } from './scopes.js';

/** A node with its parents, the key of the parent that holds it, and its scope. */
export interface NodePath {
  readonly node: SyntaxNode;
  readonly parent: NodePath | null;
  readonly key: string;
  readonly scope: Scope;
}

/** A syntax tree, flattened to what reading its references needs. */
export interface WalkedTree {
  readonly calls: readonly NodePath[];
  /** Identifiers whose value is read, by name. Declarations and the keys of members and properties do not count. */
  readonly reads: ReadonlyMap<string, readonly NodePath[]>;
  readonly hasDecorators: boolean;
  readonly hasJsx: boolean;
  /** The scope of each function, which holds its parameters. */
  readonly functionScopes: ReadonlyMap<SyntaxNode, Scope>;
}

const calls = new Set(['CallExpression', 'NewExpression', 'ImportExpression', 'TSImportEqualsDeclaration']);

/** Walks a program once, without recursion, so that a deep tree cannot overflow the stack. */
export function walkProgram(program: SyntaxNode, root: Scope): WalkedTree {
  const found: NodePath[] = [];
  const reads = new Map<string, [NodePath, ...NodePath[]]>();
  const functionScopes = new Map<SyntaxNode, Scope>();
  let hasDecorators = false;
  let hasJsx = false;
  const pending: NodePath[] = [{ node: program, parent: null, key: '', scope: root }];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const parent = path;
    const { node } = path;
    const { type } = node;
    if (isStaticImport(node)) continue;
    if (calls.has(type)) found.push(path);
    else if (type === 'Identifier' || type === 'JSXIdentifier') {
      const name = nameOf(node);
      if (name !== null && isRead(path)) addTo(reads, name, path);
    } else if (type === 'Decorator') hasDecorators = true;
    else if (type === 'JSXOpeningElement' || type === 'JSXFragment') hasJsx = true;
    const scope = enterScope(node, path.scope);
    if (scope !== path.scope && scope.isFunction) functionScopes.set(node, scope);
    forEachChild(node, (child, key) => pending.push({ node: child, parent, key, scope }));
  }
  return { calls: found, reads, hasDecorators, hasJsx, functionScopes };
}

/** Static imports and re-exports: the module record has them. */
function isStaticImport(node: SyntaxNode): boolean {
  const { type } = node;
  if (type === 'ExportNamedDeclaration') return isNode(node['source']);
  return type === 'ImportDeclaration' || type === 'ExportAllDeclaration';
}

/** By parent type, the keys whose identifier is a declaration or a mere name, and not the read of a value. */
const notRead: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  ArrayPattern: ['elements'],
  RestElement: ['argument'],
  AssignmentPattern: ['left'],
  ExportSpecifier: ['exported'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  MetaProperty: ['meta', 'property'],
  JSXAttribute: ['name'],
  JSXMemberExpression: ['property'],
  JSXClosingElement: ['name'],
  JSXNamespacedName: ['namespace', 'name'],
};

/** TypeScript's nodes that hold an expression besides types, and the key of the expression. */
const expressionKeys: Readonly<Record<string, string>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  TSExportAssignment: 'expression',
  TSEnumMember: 'initializer',
  TSImportEqualsDeclaration: 'moduleReference',
};

/** By parent type, what decides whether the identifier at a key is read; undefined where the tables above do. */
const readAt: Readonly<Record<string, (path: NodePath, parent: NodePath) => boolean | undefined>> = {
  MemberExpression: ({ key }, { node }) => key !== 'property' || node['computed'] === true,
  Property: ({ key }, { node, parent }) =>
    key === 'key' ? node['computed'] === true : !isOfType(parent?.node, 'ObjectPattern'),
  MethodDefinition: isMemberRead,
  PropertyDefinition: isMemberRead,
  AccessorProperty: isMemberRead,
  ExportSpecifier: (_, { node, parent }) =>
    node['exportKind'] === 'type' || parent?.node['exportKind'] === 'type' ? false : undefined,
  // A name that begins with a small letter is an HTML element, not a component.
  JSXOpeningElement: ({ node }) => (/^[\p{Lu}_$]/u.test(nameOf(node) ?? '') ? undefined : false),
};

function isMemberRead({ key }: NodePath, { node }: NodePath): boolean {
  return key !== 'key' || node['computed'] === true;
}

function isRead(path: NodePath): boolean {
  const { parent, key } = path;
  if (parent === null) return false;
  const { type } = parent.node;
  const decided = readAt[type]?.(path, parent);
  if (decided !== undefined) return decided;
  if (type.startsWith('TS')) return expressionKeys[type] === key;
  return !(Object.hasOwn(notRead, type) && notRead[type]?.includes(key));
}
