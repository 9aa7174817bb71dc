import { visitorKeys } from 'oxc-parser';
import type { Reference } from '../parse/reference.js';
import { isNode, isOfType, nameOf, nodesOf, type SyntaxNode } from './nodes.js';

/** What a name stands for: a module as a whole, one of its exports, the `require` that createRequire made, or anything else. */
export type Binding =
  | { readonly is: 'module'; readonly reference: Reference }
  | { readonly is: 'export'; readonly reference: Reference }
  | { readonly is: 'require' }
  | { readonly is: 'other' };

const other: Binding = { is: 'other' };

/** The names of one block, function or module. */
export class Scope {
  readonly outer: Scope | null;
  readonly ofFunction: boolean;
  readonly #names = new Map<string, Binding>();

  constructor(outer: Scope | null, ofFunction: boolean) {
    this.outer = outer;
    this.ofFunction = ofFunction;
  }

  declare(name: string, binding: Binding = other): void {
    const known = this.#names.get(name);
    if (known === undefined || known.is === 'other') this.#names.set(name, binding);
  }

  /** The innermost scope that has the name, and what it stands for there. */
  find(name: string): { readonly scope: Scope; readonly binding: Binding } | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const binding = scope.#names.get(name);
      if (binding !== undefined) return { scope, binding };
    }
    return null;
  }

  get function(): Scope {
    let scope: Scope = this;
    while (!scope.ofFunction && scope.outer !== null) scope = scope.outer;
    return scope;
  }
}

/** A node where it stands: under which parent, by which of its keys, in which scope. */
export interface Place {
  readonly node: SyntaxNode;
  readonly parent: Place | null;
  readonly key: string;
  readonly scope: Scope;
}

/** A syntax tree, flattened: what reading its references needs. */
export interface Walk {
  readonly calls: readonly Place[];
  /** Names that are read, by name; not those that are declared, nor keys of members and properties. */
  readonly usages: ReadonlyMap<string, readonly Place[]>;
  readonly decorated: boolean;
  readonly jsx: boolean;
  /** The scope that a function opens, where its parameters are. */
  readonly functionScopes: ReadonlyMap<SyntaxNode, Scope>;
}

const calls = new Set(['CallExpression', 'NewExpression', 'ImportExpression', 'TSImportEqualsDeclaration']);
const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSModuleBlock',
  'StaticBlock',
]);
const blocks = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
]);

/** Walks a program once, without recursion: a deep tree cannot overflow the stack here. */
export function walk(program: SyntaxNode, root: Scope): Walk {
  const found: Place[] = [];
  const usages = new Map<string, Place[]>();
  const functionScopes = new Map<SyntaxNode, Scope>();
  let decorated = false;
  let jsx = false;
  const open: Place[] = [{ node: program, parent: null, key: '', scope: root }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node, scope } = place;
    const { type } = node;
    if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') continue;
    if (type === 'ExportNamedDeclaration' && isNode(node['source'])) continue;
    if (calls.has(type)) found.push(place);
    else if (type === 'Identifier' || type === 'JSXIdentifier') {
      const name = nameOf(node);
      if (name !== null && isUsage(place)) {
        const places = usages.get(name);
        if (places === undefined) usages.set(name, [place]);
        else places.push(place);
      }
    } else if (type === 'Decorator') decorated = true;
    else if (type === 'JSXOpeningElement' || type === 'JSXFragment') jsx = true;
    const inner = enter(node, scope);
    if (inner !== scope && functions.has(type)) functionScopes.set(node, inner);
    const keys = Object.hasOwn(visitorKeys, type) ? (visitorKeys[type] ?? []) : [];
    for (const key of keys) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const one of child) if (isNode(one)) open.push({ node: one, parent: place, key, scope: inner });
      } else if (isNode(child)) open.push({ node: child, parent: place, key, scope: inner });
    }
  }
  return { calls: found, usages, decorated, jsx, functionScopes };
}

/** Declares what a node declares, and gives the scope of what is in it. */
function enter(node: SyntaxNode, scope: Scope): Scope {
  switch (node.type) {
    case 'VariableDeclaration': {
      const home = node['kind'] === 'var' ? scope.function : scope;
      for (const declarator of nodesOf(node['declarations'])) declarePattern(declarator['id'], home);
      return scope;
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
      declarePattern(node['id'], scope);
      break;
  }
  if (!functions.has(node.type) && !blocks.has(node.type)) return scope;
  const inner = new Scope(scope, functions.has(node.type));
  for (const parameter of nodesOf(node['params'])) declarePattern(parameter, inner);
  if (node.type === 'FunctionExpression') declarePattern(node['id'], inner);
  if (node.type === 'CatchClause') declarePattern(node['param'], inner);
  return inner;
}

function declarePattern(pattern: unknown, scope: Scope): void {
  const open = [pattern];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (!isNode(next)) continue;
    const name = nameOf(next);
    if (name !== null) scope.declare(name);
    else if (next.type === 'ObjectPattern') for (const one of nodesOf(next['properties'])) open.push(one);
    else if (next.type === 'ArrayPattern') for (const one of nodesOf(next['elements'])) open.push(one);
    else if (next.type === 'Property') open.push(next['value']);
    else if (next.type === 'AssignmentPattern') open.push(next['left']);
    else if (next.type === 'RestElement') open.push(next['argument']);
    else if (next.type === 'TSParameterProperty') open.push(next['parameter']);
  }
}

/** Names that their parent declares, or that are no name of a value: by parent and key. */
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

const keyed = new Set(['Property', 'MethodDefinition', 'PropertyDefinition', 'AccessorProperty']);

/** TypeScript's nodes in which an expression stands, not a type. */
const valueful: Readonly<Record<string, string>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  TSExportAssignment: 'expression',
  TSEnumMember: 'initializer',
  TSImportEqualsDeclaration: 'moduleReference',
};

function isUsage({ node, parent, key }: Place): boolean {
  if (parent === null) return false;
  const { type } = parent.node;
  if (type === 'MemberExpression' && key === 'property') return parent.node['computed'] === true;
  if (keyed.has(type)) {
    if (key === 'key') return parent.node['computed'] === true;
    return !(type === 'Property' && isOfType(parent.parent?.node, 'ObjectPattern'));
  }
  if (
    type === 'ExportSpecifier' &&
    (parent.node['exportKind'] === 'type' || parent.parent?.node['exportKind'] === 'type')
  )
    return false;
  if (type.startsWith('TS')) return valueful[type] === key;
  if (type === 'JSXOpeningElement' && !/^[\p{Lu}_$]/u.test(nameOf(node) ?? '')) return false;
  return !(Object.hasOwn(notRead, type) && notRead[type]?.includes(key));
}
