import type { Reference } from '../parse/reference.js';
import { bindAliasedRequire, bindCreatedRequire, referencesOfCall } from './call-references.js';
import { DeclaredValues } from './declared-values.js';
import { trackModuleValue } from './module-usage.js';
import type { SyntaxNode } from './nodes.js';
import { type Binding, Scope } from './scopes.js';
import { type NodePath, type WalkedTree, walkProgram } from './walk.js';

/** What the syntax tree shows beyond the module record. */
export interface TreeFacts {
  readonly references: readonly Reference[];
  /** Imports that TypeScript erases, because all their names are used as types only. */
  readonly erased: ReadonlySet<Reference>;
}

export type ImportBindings = ReadonlyMap<string, Binding>;

/** Reads the references of a program other than static imports and exports, and which symbols of modules it uses. */
export function readTree(program: SyntaxNode, imports: ImportBindings): TreeFacts {
  const root = new Scope(null, true);
  for (const [name, binding] of imports) root.declare(name, binding);
  const tree = walkProgram(program, root);
  for (const call of tree.calls) bindCreatedRequire(call);
  for (const name of ['require', '__non_webpack_require__']) {
    for (const read of tree.reads.get(name) ?? []) bindAliasedRequire(read);
  }

  const references: Reference[] = [];
  const values = new DeclaredValues(program);
  // In the order of the file: a variable is bound to its module before the variable is read.
  for (const call of tree.calls.toSorted((a, b) => a.node.start - b.node.start)) {
    for (const reference of referencesOfCall(call, values)) {
      references.push(reference);
      if (yieldsModule(call, reference)) trackModuleValue(call, reference, tree.functionScopes);
    }
  }
  trackReads(tree);
  return { references, erased: erasedImports(tree, imports) };
}

/** Whether the value of the call is the module that it names. */
function yieldsModule({ node }: NodePath, { mock, kind, typeOnly }: Reference): boolean {
  return node.type !== 'TSImportEqualsDeclaration' && !mock && kind !== 'resolve' && !typeOnly;
}

/** Tracks every read of a name that is bound to a module. Tracking can bind further variables, so it repeats. */
function trackReads({ reads, functionScopes }: WalkedTree): void {
  const tracked = new Set<NodePath>();
  for (let found = true; found; ) {
    found = false;
    for (const [name, paths] of reads) {
      for (const path of paths) {
        const binding = tracked.has(path) ? undefined : path.scope.find(name)?.binding;
        if (binding?.kind !== 'module') continue;
        tracked.add(path);
        found = true;
        trackModuleValue(path, binding.reference, functionScopes);
      }
    }
  }
}

/** Names that compiled JSX calls although the source does not mention them. */
const jsxFactories = new Set(['React', 'h', 'preact', 'Fragment']);

function erasedImports({ reads, hasDecorators, hasJsx }: WalkedTree, imports: ImportBindings): Set<Reference> {
  // Decorators can turn the types of parameters into values that are read at run time.
  if (hasDecorators) return new Set();
  return importsWithout(imports, (name, binding) => {
    const isRead = reads.get(name)?.some(({ scope }) => scope.find(name)?.binding === binding);
    return isRead === true || (hasJsx && jsxFactories.has(name));
  });
}

/** The imports of which no name is kept. */
export function importsWithout(
  imports: ImportBindings,
  isKept: (name: string, binding: Binding) => boolean,
): Set<Reference> {
  const all = new Set<Reference>();
  const kept = new Set<Reference>();
  for (const [name, binding] of imports) {
    if (binding.kind !== 'module' && binding.kind !== 'export') continue;
    all.add(binding.reference);
    if (!kept.has(binding.reference) && isKept(name, binding)) kept.add(binding.reference);
  }
  return new Set([...all].filter((reference) => !kept.has(reference)));
}
