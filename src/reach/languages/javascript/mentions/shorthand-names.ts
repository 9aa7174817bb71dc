import { rowsOf } from '../../../knowledge/knowledge.js';
import { addTo } from '../../../lockfiles/group-by.js';

/** The packages that a tool means by a short name. */
export type Family = ReadonlyMap<string, readonly string[]>;

const conventions = Object.entries(rowsOf('javascript/short-names')).flatMap(([files, packages]) =>
  packages.map((names) => ({ files: new RegExp(files, 'i'), packages: new RegExp(names) })),
);

/** The short names that a configuration can have, by its name; only those of the packages that are searched for. */
export function shortNamesFor(names: ReadonlyMap<string, string>): (fileName: string) => readonly Family[] {
  const families = conventions
    .map(({ files, packages }) => ({ files, family: familyOf(packages, names) }))
    .filter(({ family }) => family.size > 0);
  return (fileName) => families.flatMap(({ files, family }) => (files.test(fileName) ? family : []));
}

function familyOf(packages: RegExp, names: ReadonlyMap<string, string>): Family {
  const family = new Map<string, [string, ...string[]]>();
  for (const [name, packageName] of names) {
    const [, scope, rest] = packages.exec(name) ?? [];
    const short = [scope, rest].filter((part) => part !== undefined).join('/');
    if (short !== '') addTo(family, short, packageName);
  }
  return family;
}

/** The part of a setting that is a plugin's short name: `react` of `plugin:react/recommended` and of `react/jsx-key`. */
export function shorthandWord(text: string): string {
  const name = text.replace(/^(?:plugin|module|babel):/, '');
  const parts = name.split('/');
  return name.startsWith('@') ? parts.slice(0, name.includes(':') ? 1 : 2).join('/') : (parts[0] ?? '');
}
