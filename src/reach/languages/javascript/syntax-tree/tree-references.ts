import { newReference, type Reference } from '../parse/reference.js';
import { followModule } from './module-usage.js';
import { foldedText, isNode, isOfType, keyOf, literalOf, nameOf, nodesOf, type SyntaxNode } from './nodes.js';
import { type Binding, type Place, Scope, type Walk, walk } from './scopes.js';

/** What the syntax tree says beyond the module record. */
export interface TreeFacts {
  readonly references: readonly Reference[];
  readonly unknownDynamic: number;
  /** Imports of which TypeScript keeps no trace in what runs: their names stand for types alone. */
  readonly erased: ReadonlySet<Reference>;
}

/** Names that static imports give to a module or its exports. */
export type Imported = ReadonlyMap<string, Binding>;

const mockers = new Set(['vi', 'vitest', 'jest', 'mock', 'td', 'sinon']);
const mocking = new Set([
  'mock',
  'doMock',
  'unmock',
  'doUnmock',
  'dontMock',
  'setMock',
  'module',
  'replace',
  'replaceEsm',
]);
const actual = new Set(['importActual', 'requireActual', 'importMock', 'requireMock', 'createMockFromModule']);

/** Reads all references of a program but the static imports and exports, and follows what is done with modules. */
export function readTree(program: SyntaxNode, imported: Imported): TreeFacts {
  const root = new Scope(null, true);
  for (const [name, binding] of imported) root.declare(name, binding);
  const walked = walk(program, root);
  for (const place of walked.calls) if (isCreateRequire(place.node)) bindRequire(place);

  const references: Reference[] = [];
  let unknownDynamic = 0;
  const add = (reference: Reference, place: Place) => {
    references.push(reference);
    const isFollowed =
      place.node.type !== 'TSImportEqualsDeclaration' && !reference.mock && reference.kind !== 'resolve';
    if (isFollowed && !reference.typeOnly) followModule(place, reference, walked.functionScopes);
  };
  // In the order of the file, so that what a variable takes is known before it is read of.
  for (const place of walked.calls.toSorted((a, b) => a.node.start - b.node.start)) {
    for (const found of readCall(place)) {
      if (found === 'unknown') unknownDynamic++;
      else add(found, place);
    }
  }
  followUsages(walked);
  return { references, unknownDynamic, erased: erasedOf(walked, imported) };
}

function bindRequire({ parent, scope }: Place): void {
  const name = isOfType(parent?.node, 'VariableDeclarator') ? nameOf(parent.node['id']) : null;
  if (name !== null) (scope.find(name)?.scope ?? scope).declare(name, { is: 'require' });
}

function isCreateRequire({ type, callee }: SyntaxNode): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  return (
    nameOf(callee) === 'createRequire' ||
    (callee.type === 'MemberExpression' && keyOf(callee, 'property') === 'createRequire')
  );
}

function readCall(place: Place): readonly (Reference | 'unknown')[] {
  const { node, scope } = place;
  switch (node.type) {
    case 'ImportExpression':
      return target('dynamic', isNode(node['source']) ? node['source'] : undefined);
    case 'TSImportEqualsDeclaration':
      return readImportEquals(node, scope);
    case 'NewExpression':
      return readNew(node);
  }
  const { callee } = node;
  const [first] = nodesOf(node['arguments']);
  if (!isNode(callee)) return [];
  const name = nameOf(callee);
  if (name !== null) {
    if (isRequire(name, scope)) return isOfType(first, 'ArrayExpression') ? amd(first) : target('require', first);
    if (name === 'define' && scope.find(name) === null)
      return amd(nodesOf(node['arguments']).find(({ type }) => type === 'ArrayExpression'));
    if (name === 'proxyquire') return target('require', first, { mock: true });
    return [];
  }
  // createRequire(import.meta.url)('a')
  if (isCreateRequire(callee)) return target('require', first);
  if (callee.type !== 'MemberExpression') return [];
  const method = keyOf(callee, 'property') ?? '';
  const { object } = callee;
  const owner = nameOf(object);
  if (owner !== null && method === 'resolve' && isRequire(owner, scope)) return target('resolve', first);
  if (owner === 'module' && method === 'require') return target('require', first);
  if (method === 'resolve' && isOfType(object, 'MetaProperty')) return target('resolve', first);
  if (owner !== null && mockers.has(owner)) return readMock(method, first);
  if (method === 'module' && isOfType(object, 'MemberExpression') && keyOf(object, 'property') === 'mock')
    return readMock(method, first);
  return [];
}

function isRequire(name: string, scope: Scope): boolean {
  const found = scope.find(name);
  return found === null ? name === 'require' : found.binding.is === 'require';
}

function readMock(method: string, first: SyntaxNode | undefined): Reference[] {
  const source = isOfType(first, 'ImportExpression') ? first['source'] : first;
  const specifier = literalOf(source);
  if (specifier === null || !isNode(source)) return [];
  if (actual.has(method)) return [newReference('dynamic', specifier, source.start)];
  return mocking.has(method) ? [newReference('resolve', specifier, source.start, { mock: true })] : [];
}

function target(
  kind: Reference['kind'],
  node: SyntaxNode | undefined,
  more: { readonly mock?: boolean } = {},
): readonly (Reference | 'unknown')[] {
  if (node === undefined) return [];
  const specifier = foldedText(node);
  return specifier === null ? ['unknown'] : [newReference(kind, specifier, node.start, more)];
}

function amd(list: SyntaxNode | undefined): Reference[] {
  return nodesOf(list?.['elements']).flatMap((element) => {
    const specifier = literalOf(element);
    if (specifier === null || /^(?:require|exports|module)$/.test(specifier)) return [];
    const reference = newReference('require', specifier, element.start);
    reference.symbolsComplete = false;
    return [reference];
  });
}

/** `import fs = require('fs')` */
function readImportEquals({ id, importKind, moduleReference }: SyntaxNode, scope: Scope): Reference[] {
  const source = isOfType(moduleReference, 'TSExternalModuleReference') ? moduleReference['expression'] : null;
  const specifier = literalOf(source);
  const name = nameOf(id);
  if (specifier === null || name === null || !isNode(source)) return [];
  const reference = newReference('require', specifier, source.start, { typeOnly: importKind === 'type' });
  scope.declare(name, { is: 'module', reference });
  return [reference];
}

/** `new URL('./worker.js', import.meta.url)` and `new Worker('./worker.js')` lead to files of the project. */
function readNew(node: SyntaxNode): Reference[] {
  const [first, second] = nodesOf(node['arguments']);
  const made = nameOf(node['callee']);
  const ofModule = made === 'URL' && isOfType(second, 'MemberExpression') && isOfType(second['object'], 'MetaProperty');
  const specifier = ofModule || made === 'Worker' ? literalOf(first) : null;
  if (specifier === null || first === undefined || !/^\.{0,2}\//.test(specifier)) return [];
  return [newReference('resolve', specifier, first.start)];
}

/** Follows every read of a name that stands for a module; a variable that takes one on the way is followed in turn. */
function followUsages({ usages, functionScopes }: Walk): void {
  const seen = new Set<Place>();
  for (let found = true; found; ) {
    found = false;
    for (const [name, places] of usages) {
      for (const place of places) {
        const binding = seen.has(place) ? undefined : place.scope.find(name)?.binding;
        if (binding?.is !== 'module') continue;
        seen.add(place);
        found = true;
        followModule(place, binding.reference, functionScopes);
      }
    }
  }
}

/** Names that a JSX factory is called by without being written. */
const factories = new Set(['React', 'h', 'preact', 'Fragment']);

function erasedOf({ usages, decorated, jsx }: Walk, imported: Imported): Set<Reference> {
  // Decorators can turn the types of parameters into values that are read when the program runs.
  if (decorated) return new Set();
  const all = new Set<Reference>();
  const kept = new Set<Reference>();
  for (const [name, binding] of imported) {
    if (binding.is !== 'module' && binding.is !== 'export') continue;
    all.add(binding.reference);
    const read = usages.get(name)?.some(({ scope }) => scope.find(name)?.binding === binding);
    if (read || (jsx && factories.has(name))) kept.add(binding.reference);
  }
  return new Set([...all].filter((reference) => !kept.has(reference)));
}
