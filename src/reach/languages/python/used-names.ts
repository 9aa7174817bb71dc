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
  const used = imports.map(({ names }) => ({
    symbols: new Set<string>(),
    complete: names?.every(({ name }) => name !== '*') ?? true,
  }));
  const bindings = new Map<string, { readonly index: number; readonly path: string; readonly isMember: boolean }[]>();
  const bind = (as: string, index: number, path: string, isMember: boolean) => {
    const bound = bindings.get(as) ?? [];
    if (bound.length < maxBindings) bindings.set(as, [...bound, { index, path, isMember }]);
  };
  for (const [index, { module, names, as }] of imports.entries()) {
    const [, ...below] = module.split('.');
    if (module.startsWith('.')) continue;
    if (names === null) bind(as ?? module.split('.', 1)[0] ?? module, index, as === null ? '' : below.join('.'), false);
    for (const { name, as } of names ?? []) {
      if (name === '*') continue;
      const path = [...below, name].join('.');
      used[index]?.symbols.add(path);
      bind(as, index, path, true);
    }
  }
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
      let reached = path;
      for (const attribute of attributes) {
        reached = reached === '' ? attribute : `${reached}.${attribute}`;
        // `import a.b` binds a: the path to b is no symbol.
        if (!isPartOf(reached, imports[index])) names.symbols.add(reached);
      }
    }
  }
  return used;
}

function isPartOf(path: string, found: PythonImport | undefined): boolean {
  const below = found?.module.slice(found.module.indexOf('.') + 1);
  return (
    found?.names === null && found.module.includes('.') && (below === path || below?.startsWith(`${path}.`) === true)
  );
}
