import { entriesOf, field, stringsIn, textOf } from '../json-values.js';

/** Limit of nested conditions. */
const maxDepth = 10;

/**
 * All targets of a key in `exports` or `imports` of a package.json: of the exact key, else of the pattern with the longest
 * prefix. Targets of every condition count, because only the build knows which conditions hold.
 */
export function targetsOf(map: unknown, key: string): string[] {
  const isKeyed = entriesOf(map).some(([name]) => name.startsWith('.') || name.startsWith('#'));
  if (!isKeyed) return key === '.' ? leaves(map) : [];
  const exact = leaves(field(map, key));
  if (exact.length > 0) return exact;
  const patterns = entriesOf(map)
    .filter(([name]) => name.includes('*') || name.endsWith('/'))
    .sort(([a], [b]) => b.indexOf('*') - a.indexOf('*'));
  for (const [name, target] of patterns) {
    const [prefix = '', suffix = ''] = name.split('*');
    if (!key.startsWith(prefix) || !key.endsWith(suffix) || key.length < prefix.length + suffix.length) continue;
    const middle = key.slice(prefix.length, key.length - suffix.length);
    return leaves(target).map((leaf) => (leaf.endsWith('/') ? leaf + middle : leaf.replaceAll('*', () => middle)));
  }
  return [];
}

function leaves(value: unknown, depth = 0): string[] {
  const text = textOf(value);
  if (text !== null) return [text];
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, depth + 1));
  return entriesOf(value).flatMap(([, one]) => leaves(one, depth + 1));
}

/** The main files of a package, for `require`, `import`, bundlers and types. */
export function mainsOf(content: unknown): string[] {
  const fields = ['source', 'main', 'module', 'browser', 'react-native', 'types', 'typings', 'svelte'];
  return [...targetsOf(field(content, 'exports'), '.'), ...fields.flatMap((name) => stringsIn(field(content, name)))];
}
