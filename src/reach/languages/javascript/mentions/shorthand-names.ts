import { rowsOf } from '../../../knowledge/knowledge.js';

/** The packages that a tool means by a short name. */
export type Family = ReadonlyMap<string, readonly string[]>;

const conventions = Object.entries(rowsOf('javascript/short-names')).flatMap(([files, packages]) =>
  packages.map((names) => ({ files: new RegExp(files, 'i'), packages: new RegExp(names) })),
);

const cache = new WeakMap<ReadonlyMap<string, string>, readonly (readonly [RegExp, Family])[]>();

/** The short names that a configuration can have, by its name; only those of the packages that are searched for. */
export function familiesOf(fileName: string, names: ReadonlyMap<string, string>): readonly Family[] {
  let families = cache.get(names);
  if (families === undefined) {
    families = conventions.flatMap(({ files, packages }) => {
      const family = familyOf(packages, names);
      return family.size === 0 ? [] : [[files, family] as const];
    });
    cache.set(names, families);
  }
  return families.filter(([files]) => files.test(fileName)).map(([, family]) => family);
}

function familyOf(packages: RegExp, names: ReadonlyMap<string, string>): Family {
  const family = new Map<string, string[]>();
  for (const [name, packageName] of names) {
    const [, scope, rest] = packages.exec(name) ?? [];
    const short = [scope, rest].filter((part) => part !== undefined).join('/');
    if (short !== '') family.set(short, [...(family.get(short) ?? []), packageName]);
  }
  return family;
}

/** The part of a setting that is a plugin's short name: `react` of `plugin:react/recommended` and of `react/jsx-key`. */
export function shorthandWord(text: string): string {
  const name = text.replace(/^(?:plugin|module|babel):/, '');
  const parts = name.split('/');
  return name.startsWith('@') ? parts.slice(0, name.includes(':') ? 1 : 2).join('/') : (parts[0] ?? '');
}
