import { wordSet } from '../../word-set.js';
import type { Reference } from '../parse/reference.js';
import { isNode, isOfType, keyOf, nameOf, nodesOf, type SyntaxNode, wrapperKeys } from './nodes.js';
import type { Binding, Scope } from './scopes.js';
import type { NodePath } from './walk.js';

/** Helper functions that compilers put around a require (TypeScript, Babel, esbuild). */
const interopHelper = /^_*(?:interopRequire\w*|importStar|importDefault|toESM)$/;

type FunctionScopes = ReadonlyMap<SyntaxNode, Scope>;

/**
 * Tracks the value of a module from an expression that yields it. Members that are read become symbols of the reference.
 * A variable that the value is assigned to is bound to the module, so that its reads can be tracked too. Where the value
 * goes anywhere else, the symbols are incomplete.
 */
export function trackModuleValue(start: NodePath, reference: Reference, functionScopes: FunctionScopes): void {
  let path = start;
  for (let parent = path.parent; parent !== null; path = parent, parent = path.parent) {
    if (!keepsModuleValue(parent, path.key)) {
      recordUse(path, parent, reference, functionScopes);
      return;
    }
    if (isMemberRead(parent, path.key) && !isReadFurther(parent)) reference.symbols.add('default');
  }
}

/** Whether the parent's value is still the module: it wraps the expression, or reads its `default`. */
function keepsModuleValue(parent: NodePath, key: string): boolean {
  const { node } = parent;
  if (node.type in wrapperKeys || (node.type === 'LogicalExpression' && key === 'right')) return true;
  if (node.type === 'CallExpression' && key === 'arguments') return interopHelper.test(nameOf(node['callee']) ?? '');
  return isMemberRead(parent, key) && keyOf(node, 'property') === 'default';
}

function isMemberRead({ node }: NodePath, key: string): boolean {
  return node.type === 'MemberExpression' && key === 'object';
}

function recordUse(path: NodePath, parent: NodePath, reference: Reference, functionScopes: FunctionScopes): void {
  const { node } = parent;
  const { key, scope } = path;
  if (isMemberRead(parent, key)) recordMember(parent, reference, functionScopes);
  else if (node.type === 'JSXMemberExpression' && key === 'object') addSymbol(reference, nameOf(node['property']));
  else if (node.type === 'VariableDeclarator' && key === 'init') bindTarget(node['id'], scope, reference);
  else if (node.type === 'AssignmentExpression' && key === 'right') bindTarget(node['left'], scope, reference);
  else if (isCalled(node, key)) {
    reference.symbols.add('default');
    if (node.type !== 'JSXOpeningElement' && parent.parent?.node.type !== 'ExpressionStatement')
      addResultSymbols(parent, reference);
  } else if (!readsNothing.has(node.type)) reference.symbolsComplete = false;
}

function recordMember(parent: NodePath, reference: Reference, functionScopes: FunctionScopes): void {
  const name = keyOf(parent.node, 'property');
  const isOfPromise = reference.kind === 'dynamic';
  if (isOfPromise && name === 'then') bindThenCallback(parent, reference, functionScopes);
  else if (isOfPromise && (name === 'catch' || name === 'finally')) reference.symbolsComplete = false;
  else {
    addSymbol(reference, name);
    if (name !== null && wrapping.has(name)) reference.symbolsComplete = false;
  }
}

/** Functions whose result has the other functions of the module: `_.chain(list).merge(x)`. */
const wrapping = wordSet('chain wrapperChain create noConflict runInContext');

/** Limit of calls in a chain. */
const maxChain = 50;

/**
 * What a module that is a function returns often has all its functions: `_(list).merge(x)`, `const app = express()`. Names
 * that are read of it are symbols too; further ones may be read where it goes.
 */
function addResultSymbols(call: NodePath, reference: Reference): void {
  reference.symbolsComplete = false;
  let result: NodePath | null = call;
  for (let left = maxChain; left > 0 && result !== null; left--) {
    const access: NodePath | null = result.parent;
    if (access === null || !isMemberRead(access, result.key)) return;
    addSymbol(reference, keyOf(access.node, 'property'));
    result = access.parent?.node.type === 'CallExpression' && access.key === 'callee' ? access.parent : null;
  }
}

/** Parents that do not read the value: it is overwritten, or only its type is read. A module that is only loaded may do anything. */
const readsNothing = new Set(['AssignmentExpression', 'UnaryExpression']);

function isReadFurther({ parent }: NodePath): boolean {
  return parent !== null && (parent.node.type === 'MemberExpression' || parent.node.type === 'VariableDeclarator');
}

function isCalled({ type }: SyntaxNode, key: string): boolean {
  return (
    ((type === 'CallExpression' || type === 'NewExpression') && key === 'callee') ||
    (type === 'TaggedTemplateExpression' && key === 'tag') ||
    (type === 'JSXOpeningElement' && key === 'name')
  );
}

function addSymbol(reference: Reference, name: string | null): void {
  if (name === null) reference.symbolsComplete = false;
  else reference.symbols.add(name);
}

/** `import('a').then((module) => ...)` */
function bindThenCallback(member: NodePath, reference: Reference, functionScopes: FunctionScopes): void {
  const call = member.parent?.node;
  const callback = isOfType(call, 'CallExpression') ? nodesOf(call['arguments'])[0] : undefined;
  const scope = callback && functionScopes.get(callback);
  if (callback === undefined || scope === undefined) reference.symbolsComplete = false;
  else bindTarget(withoutDefault(nodesOf(callback['params'])[0]), scope, reference);
}

/** The target of `target = value` in a pattern. */
function withoutDefault(pattern: unknown): unknown {
  return isOfType(pattern, 'AssignmentPattern') ? pattern['left'] : pattern;
}

/** Adds the names that a destructuring pattern picks as symbols, or binds the variable to the module. */
function bindTarget(target: unknown, scope: Scope, reference: Reference): void {
  const name = nameOf(target);
  if (name !== null) {
    const known = scope.find(name);
    const binding: Binding = { kind: 'module', reference };
    (known?.scope ?? scope).declare(name, binding);
    // One variable for two modules: its reads are recorded for the first module alone.
    if (known?.binding.kind === 'module' && known.binding.reference !== reference) reference.symbolsComplete = false;
  } else if (isOfType(target, 'ObjectPattern')) {
    for (const property of nodesOf(target['properties'])) {
      if (property.type === 'RestElement') reference.symbolsComplete = false;
      else {
        const key = keyOf(property, 'key');
        // `const { default: _ } = await import('lodash')`: names read of the default export count too.
        if (key === 'default') bindTarget(withoutDefault(property['value']), scope, reference);
        else addSymbol(reference, key);
      }
    }
  } else if (isNode(target)) reference.symbolsComplete = false;
}
