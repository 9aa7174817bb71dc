import type { Reference } from '../parse/reference.js';
import { isNode, isOfType, keyOf, nameOf, nodesOf, type SyntaxNode } from './nodes.js';
import type { Binding, Place, Scope } from './scopes.js';

/** Wrappers that pass on the value of their expression. */
const transparent = new Set([
  'AwaitExpression',
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** What compilers put around a require (TypeScript, Babel, esbuild). */
const interop = /^_*(?:interopRequire\w*|importStar|importDefault|toESM)$/;

type FunctionScopes = ReadonlyMap<SyntaxNode, Scope>;

/**
 * Follows where the value of a module goes, from an expression that yields it: the names that are read of it become the
 * reference's symbols, and where it goes on as a whole they are no longer complete. A variable that takes the value is
 * bound to the module, so that its uses can be followed in turn.
 */
export function followModule(start: Place, reference: Reference, functionScopes: FunctionScopes): void {
  let place = start;
  for (let parent = place.parent; parent !== null; place = parent, parent = place.parent) {
    if (!passesOn(parent, place.key)) {
      take(place, parent, reference, functionScopes);
      return;
    }
    const member = isMemberRead(parent, place.key) && !isReadFurther(parent);
    if (member) reference.symbols.add('default');
  }
}

/** Whether the parent's value is still the module: it wraps the expression, or reads the `default` of it. */
function passesOn(parent: Place, key: string): boolean {
  const { node } = parent;
  if (transparent.has(node.type) || (node.type === 'LogicalExpression' && key === 'right')) return true;
  if (node.type === 'CallExpression' && key === 'arguments') return interop.test(nameOf(node['callee']) ?? '');
  return isMemberRead(parent, key) && keyOf(node, 'property') === 'default';
}

function isMemberRead({ node }: Place, key: string): boolean {
  return node.type === 'MemberExpression' && key === 'object';
}

function take(place: Place, parent: Place, reference: Reference, functionScopes: FunctionScopes): void {
  const { node } = parent;
  const { key, scope } = place;
  if (isMemberRead(parent, key)) {
    const name = keyOf(node, 'property');
    if (name === 'then' && reference.kind === 'dynamic') followThen(parent, reference, functionScopes);
    else addSymbol(reference, name);
  } else if (node.type === 'JSXMemberExpression' && key === 'object') addSymbol(reference, nameOf(node['property']));
  else if (node.type === 'VariableDeclarator' && key === 'init') bind(node['id'], scope, reference);
  else if (node.type === 'AssignmentExpression' && key === 'right') bind(node['left'], scope, reference);
  else if (isCalled(node, key)) reference.symbols.add('default');
  else if (!readsNothing.has(node.type)) reference.symbolsComplete = false;
}

/** Where a module's value is not read at all: it is written over, left alone, or asked for its type. */
const readsNothing = new Set(['AssignmentExpression', 'ExpressionStatement', 'UnaryExpression']);

function isReadFurther({ parent }: Place): boolean {
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
function followThen(member: Place, reference: Reference, functionScopes: FunctionScopes): void {
  const call = member.parent?.node;
  const callback = isOfType(call, 'CallExpression') ? nodesOf(call['arguments'])[0] : undefined;
  const scope = callback && functionScopes.get(callback);
  if (callback === undefined || scope === undefined) reference.symbolsComplete = false;
  else bind(nodesOf(callback['params'])[0], scope, reference);
}

/** Takes the names that a pattern picks, or binds the variable to the module. */
function bind(target: unknown, scope: Scope, reference: Reference): void {
  const name = nameOf(target);
  if (name !== null) {
    const known = scope.find(name);
    const binding: Binding = { is: 'module', reference };
    (known?.scope ?? scope).declare(name, binding);
    // One variable for two modules: what is read of it is told of the first.
    if (known?.binding.is === 'module' && known.binding.reference !== reference) reference.symbolsComplete = false;
  } else if (isOfType(target, 'ObjectPattern')) {
    for (const property of nodesOf(target['properties'])) {
      if (property.type === 'RestElement') reference.symbolsComplete = false;
      else {
        const key = keyOf(property, 'key');
        // `const { default: _ } = await import('lodash')`: what is picked of the default object counts too.
        const local = key === 'default' ? nameOf(property['value']) : null;
        if (local !== null) bind(property['value'], scope, reference);
        else addSymbol(reference, key);
      }
    }
  } else if (isNode(target)) reference.symbolsComplete = false;
}
