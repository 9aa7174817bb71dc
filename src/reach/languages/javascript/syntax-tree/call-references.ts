import { wordSet } from '../../word-set.js';
import { newReference, type Reference } from '../parse/reference.js';
import type { DeclaredValues } from './declared-values.js';
import { isNode, isOfType, keyOf, literalOf, nameOf, nodesOf, type SyntaxNode } from './nodes.js';
import { possibleTexts } from './possible-texts.js';
import type { Scope } from './scopes.js';
import type { NodePath } from './walk.js';

const mockLibraries = new Set(['vi', 'vitest', 'jest', 'mock', 'td', 'sinon']);
const mockMethods = wordSet('mock doMock unmock doUnmock dontMock setMock module replace replaceEsm');
/** Methods of mock libraries that load the real module. */
const realModuleMethods = wordSet('importActual requireActual importMock requireMock createMockFromModule');

/** Binds the variable of `const load = createRequire(import.meta.url)`, so that its calls count as `require`. */
export function bindCreatedRequire({ node, parent, scope }: NodePath): void {
  if (!isCreateRequire(node)) return;
  bindRequire(isOfType(parent?.node, 'VariableDeclarator') ? parent.node['id'] : parent?.node['left'], scope);
}

/** Binds the variable of `const load = require`, or of a choice between such functions (`bundled ? x : require`). */
export function bindAliasedRequire({ node, parent, key, scope }: NodePath): void {
  const name = nameOf(node);
  if (name === null || !isRequire(name, scope)) return;
  let path = parent;
  let from = key;
  while (path !== null && isChoice(path.node, from)) {
    from = path.key;
    path = path.parent;
  }
  if (isOfType(path?.node, 'VariableDeclarator') && from === 'init') bindRequire(path.node['id'], scope);
}

function isChoice({ type }: SyntaxNode, key: string): boolean {
  return (
    (type === 'ConditionalExpression' && key !== 'test') || type === 'LogicalExpression' || type === 'TSAsExpression'
  );
}

function bindRequire(target: unknown, scope: Scope): void {
  const name = nameOf(target);
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
export function referencesOfCall({ node, scope }: NodePath, values: DeclaredValues): readonly Reference[] {
  switch (node.type) {
    case 'ImportExpression':
      return loadOf('dynamic', isNode(node['source']) ? node['source'] : undefined, values);
    case 'TSImportEqualsDeclaration':
      return ofImportEquals(node, scope);
    case 'NewExpression':
      return ofNew(node);
  }
  const { callee } = node;
  if (!isNode(callee)) return [];
  const args = nodesOf(node['arguments']);
  const name = nameOf(callee);
  if (name !== null) return ofNamedCall(name, args, scope, values);
  // createRequire(import.meta.url)('a')
  if (isCreateRequire(callee)) return loadOf('require', args[0], values);
  return callee.type === 'MemberExpression' ? ofMethodCall(callee, args[0], scope, values) : [];
}

function ofNamedCall(
  name: string,
  args: readonly SyntaxNode[],
  scope: Scope,
  values: DeclaredValues,
): readonly Reference[] {
  const [first] = args;
  if (isRequire(name, scope))
    return isOfType(first, 'ArrayExpression') ? ofAmdList(first) : loadOf('require', first, values);
  if (name === 'importScripts' && scope.find(name) === null) return args.flatMap(ofWorkerScript);
  if (name === 'define' && scope.find(name) === null)
    return ofAmdList(args.find(({ type }) => type === 'ArrayExpression'));
  return name === 'proxyquire' ? loadOf('require', first, values, { mock: true }) : [];
}

function ofMethodCall(
  callee: SyntaxNode,
  first: SyntaxNode | undefined,
  scope: Scope,
  values: DeclaredValues,
): readonly Reference[] {
  const method = keyOf(callee, 'property') ?? '';
  const { object } = callee;
  const owner = nameOf(object);
  if (method === 'resolve') {
    const isResolve = owner === null ? isOfType(object, 'MetaProperty') : isRequire(owner, scope);
    if (isResolve) return loadOf('resolve', first, values);
  }
  if (method === 'require' && (owner === 'module' || isMainModule(object))) return loadOf('require', first, values);
  if (owner !== null && mockLibraries.has(owner)) return ofMock(method, first);
  // t.mock.module('a'), of node:test
  if (method === 'module' && isOfType(object, 'MemberExpression') && keyOf(object, 'property') === 'mock')
    return ofMock(method, first);
  return [];
}

/** `require.main`, `module.parent`, `process.mainModule` */
function isMainModule(object: unknown): boolean {
  return isOfType(object, 'MemberExpression') && /^(?:main|parent|mainModule)$/.test(keyOf(object, 'property') ?? '');
}

function isRequire(name: string, scope: Scope): boolean {
  const found = scope.find(name);
  if (found !== null) return found.binding.kind === 'require';
  return name === 'require' || name === '__non_webpack_require__';
}

/** A script that a worker loads: its name is a path beside the worker, not that of a package. */
function ofWorkerScript(argument: SyntaxNode): readonly Reference[] {
  const path = literalOf(argument);
  if (path === null || /^[a-z]+:|^\/\//i.test(path)) return [];
  return [newReference('require', /^[./]/.test(path) ? path : `./${path}`, argument.start)];
}

function ofMock(method: string, first: SyntaxNode | undefined): Reference[] {
  const source = isOfType(first, 'ImportExpression') ? first['source'] : first;
  const specifier = literalOf(source);
  if (specifier === null || !isNode(source)) return [];
  if (realModuleMethods.has(method)) return [newReference('dynamic', specifier, source.start)];
  return mockMethods.has(method) ? [newReference('resolve', specifier, source.start, { mock: true })] : [];
}

/** The modules that an argument can name. One of which nothing is known has a specifier with two empty ends. */
function loadOf(
  kind: Reference['kind'],
  node: SyntaxNode | undefined,
  values: DeclaredValues,
  options: { readonly mock?: boolean } = {},
): readonly Reference[] {
  if (node === undefined) return [];
  const literal = literalOf(node);
  const specifiers = literal === null ? possibleTexts(node, values) : [literal];
  return specifiers.map((specifier) => {
    const reference = newReference(kind, specifier, node.start, options);
    // A path that is looked up is loaded somewhere else.
    if (kind === 'resolve') reference.symbolsComplete = false;
    return reference;
  });
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
