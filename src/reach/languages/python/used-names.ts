import { Mask } from '../mask.js';
import type { Range } from '../ranges.js';
import type { PythonImport } from './import-statements.js';

interface UsedNames {
  readonly symbols: Set<string>;
  complete: boolean;
}

const chain = /(?<![\w.])([A-Za-z_]\w*)((?:[ \t]*\.[ \t]*[A-Za-z_]\w*)*)/g;

/** Imports under one name in a file. Where there are more, such as one in each function, they mean the same. */
const maxBindings = 50;

/** Attributes of attributes that make a symbol. */
const maxChainLength = 5;

/**
 * The names that the code uses of each import, as paths below the module's first part: `utils.text.slugify` for django. A
 * module used without an attribute may be passed on, so its names are then not complete.
 */
export function namesUsed(code: string, imports: readonly PythonImport[], ranges: readonly Range[]): UsedNames[] {
  const used = imports.map((each) => ({
    symbols: new Set(each.module.startsWith('.') ? [] : membersOf(each).map(({ path }) => path)),
    complete: each.names?.every(({ name }) => name !== '*') ?? true,
  }));
  const bindings = bindingsOf(imports);
  const body = new Mask(code);
  for (const [from, to] of ranges) body.blank(from, to);
  for (const [, head = '', tail = ''] of body.finish().matchAll(chain)) {
    const bound = bindings.get(head);
    if (bound === undefined) continue;
    const attributes = tail === '' ? [] : tail.replaceAll(/[ \t]/g, '').slice(1).split('.').slice(0, maxChainLength);
    for (const { index, path, isMember } of bound) {
      const names = used[index];
      if (names === undefined) continue;
      if (attributes.length === 0 && !isMember) names.complete = false;
      let symbol = path;
      for (const attribute of attributes) {
        symbol = symbol === '' ? attribute : `${symbol}.${attribute}`;
        // `import a.b` binds a: the path to b is no symbol.
        if (!isPartOf(symbol, imports[index])) names.symbols.add(symbol);
      }
    }
  }
  return used;
}

interface Binding {
  /** Index of the import. */
  readonly index: number;
  /** What the name stands for, below the module's first part. */
  readonly path: string;
  /** It is bound by a from-import. */
  readonly isMember: boolean;
}

/** What each name of the file may stand for. */
function bindingsOf(imports: readonly PythonImport[]): ReadonlyMap<string, readonly Binding[]> {
  const bindings = new Map<string, Binding[]>();
  const bind = (name: string, binding: Binding) => {
    const bound = bindings.get(name) ?? [];
    if (bound.length < maxBindings) bindings.set(name, [...bound, binding]);
  };
  for (const [index, found] of imports.entries()) {
    const { module, names, as } = found;
    if (module.startsWith('.')) continue;
    const [top = module, ...below] = module.split('.');
    if (names === null) bind(as ?? top, { index, path: as === null ? '' : below.join('.'), isMember: false });
    for (const member of membersOf(found)) bind(member.as, { index, path: member.path, isMember: true });
  }
  return bindings;
}

/** The names of a from-import with their paths below the module's first part. */
function membersOf({ module, names }: PythonImport): { readonly as: string; readonly path: string }[] {
  const [, ...below] = module.split('.');
  const named = (names ?? []).filter(({ name }) => name !== '*');
  return named.map(({ name, as }) => ({ as, path: [...below, name].join('.') }));
}

function isPartOf(path: string, found: PythonImport | undefined): boolean {
  const below = found?.module.slice(found.module.indexOf('.') + 1);
  return (
    found?.names === null && found.module.includes('.') && (below === path || below?.startsWith(`${path}.`) === true)
  );
}
