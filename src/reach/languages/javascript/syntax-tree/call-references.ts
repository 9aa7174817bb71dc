import { wordSet } from '../../word-set.js';
import { newReference, type Reference } from '../parse/reference.js';
import { foldedText, isNode, isOfType, keyOf, literalOf, nameOf, nodesOf, type SyntaxNode } from './nodes.js';
import type { Scope } from './scopes.js';
import type { NodePath } from './walk.js';

/** The references of one call; `unknown` is a call whose specifier is computed. */
type CallReferences = readonly (Reference | 'unknown')[];

const mockLibraries = new Set(['vi', 'vitest', 'jest', 'mock', 'td', 'sinon']);
const mockMethods = wordSet('mock doMock unmock doUnmock dontMock setMock module replace replaceEsm');
/** Methods of mock libraries that load the real module. */
const realModuleMethods = wordSet('importActual requireActual importMock requireMock createMockFromModule');

/** Binds the variable of `const load = createRequire(import.meta.url)`, so that its calls count as `require`. */
export function bindCreatedRequire({ node, parent, scope }: NodePath): void {
  if (!isCreateRequire(node)) return;
  const name = isOfType(parent?.node, 'VariableDeclarator') ? nameOf(parent.node['id']) : null;
  if (name !== null) (scope.find(name)?.scope ?? scope).declare(name, { kind: 'require' });
}

function isCreateRequire({ type, callee }: SyntaxNode): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  return (
    nameOf(callee) === 'createRequire' ||
    (callee.type === 'MemberExpression' && keyOf(callee, 'property') === 'createRequire')
  );
}

/** The modules that a call, a `new` expression or an `import x = require()` names. */
export function referencesOfCall({ node, scope }: NodePath): CallReferences {
  switch (node.type) {
    case 'ImportExpression':
      return loadOf('dynamic', isNode(node['source']) ? node['source'] : undefined);
    case 'TSImportEqualsDeclaration':
      return ofImportEquals(node, scope);
    case 'NewExpression':
      return ofNew(node);
  }
  const { callee } = node;
  if (!isNode(callee)) return [];
  const args = nodesOf(node['arguments']);
  const name = nameOf(callee);
  if (name !== null) return ofNamedCall(name, args, scope);
  // createRequire(import.meta.url)('a')
  if (isCreateRequire(callee)) return loadOf('require', args[0]);
  return callee.type === 'MemberExpression' ? ofMethodCall(callee, args[0], scope) : [];
}

function ofNamedCall(name: string, args: readonly SyntaxNode[], scope: Scope): CallReferences {
  const [first] = args;
  if (isRequire(name, scope)) return isOfType(first, 'ArrayExpression') ? ofAmdList(first) : loadOf('require', first);
  if (name === 'define' && scope.find(name) === null)
    return ofAmdList(args.find(({ type }) => type === 'ArrayExpression'));
  return name === 'proxyquire' ? loadOf('require', first, { mock: true }) : [];
}

function ofMethodCall(callee: SyntaxNode, first: SyntaxNode | undefined, scope: Scope): CallReferences {
  const method = keyOf(callee, 'property') ?? '';
  const { object } = callee;
  const owner = nameOf(object);
  if (method === 'resolve') {
    const isResolve = owner === null ? isOfType(object, 'MetaProperty') : isRequire(owner, scope);
    if (isResolve) return loadOf('resolve', first);
  }
  if (owner === 'module' && method === 'require') return loadOf('require', first);
  if (owner !== null && mockLibraries.has(owner)) return ofMock(method, first);
  // t.mock.module('a'), of node:test
  if (method === 'module' && isOfType(object, 'MemberExpression') && keyOf(object, 'property') === 'mock')
    return ofMock(method, first);
  return [];
}

function isRequire(name: string, scope: Scope): boolean {
  const found = scope.find(name);
  return found === null ? name === 'require' : found.binding.kind === 'require';
}

function ofMock(method: string, first: SyntaxNode | undefined): Reference[] {
  const source = isOfType(first, 'ImportExpression') ? first['source'] : first;
  const specifier = literalOf(source);
  if (specifier === null || !isNode(source)) return [];
  if (realModuleMethods.has(method)) return [newReference('dynamic', specifier, source.start)];
  return mockMethods.has(method) ? [newReference('resolve', specifier, source.start, { mock: true })] : [];
}

function loadOf(
  kind: Reference['kind'],
  node: SyntaxNode | undefined,
  options: { readonly mock?: boolean } = {},
): CallReferences {
  if (node === undefined) return [];
  const specifier = foldedText(node);
  return specifier === null ? ['unknown'] : [newReference(kind, specifier, node.start, options)];
}

/** The dependencies of an AMD module: `define(['a', 'b'], ...)`. */
function ofAmdList(list: SyntaxNode | undefined): Reference[] {
  return nodesOf(list?.['elements']).flatMap((element) => {
    const specifier = literalOf(element);
    if (specifier === null || /^(?:require|exports|module)$/.test(specifier)) return [];
    const reference = newReference('require', specifier, element.start);
    reference.symbolsComplete = false;
    return [reference];
  });
}

/** `import fs = require('fs')` */
function ofImportEquals({ id, importKind, moduleReference }: SyntaxNode, scope: Scope): Reference[] {
  const source = isOfType(moduleReference, 'TSExternalModuleReference') ? moduleReference['expression'] : null;
  const specifier = literalOf(source);
  const name = nameOf(id);
  if (specifier === null || name === null || !isNode(source)) return [];
  const reference = newReference('require', specifier, source.start, { typeOnly: importKind === 'type' });
  scope.declare(name, { kind: 'module', reference });
  return [reference];
}

/** `new URL('./worker.js', import.meta.url)` and `new Worker('./worker.js')` name files of the project. */
function ofNew(node: SyntaxNode): Reference[] {
  const [first, second] = nodesOf(node['arguments']);
  const constructorName = nameOf(node['callee']);
  const isModuleUrl =
    constructorName === 'URL' && isOfType(second, 'MemberExpression') && isOfType(second['object'], 'MetaProperty');
  const specifier = isModuleUrl || constructorName === 'Worker' ? literalOf(first) : null;
  if (specifier === null || first === undefined || !/^\.{0,2}\//.test(specifier)) return [];
  return [newReference('resolve', specifier, first.start)];
}
