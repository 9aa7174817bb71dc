import { listsOf, rowsOf } from '../../knowledge/knowledge.js';
import { packageTable, remembering } from '../package-table.js';
import { wordSet } from '../word-set.js';

/** Words in artifact names that say nothing about the package. */
const generic = wordSet('java jdk jvm api core all starter client impl android kotlin lib sdk jakarta');

/** Classes of the platform: they come from no artifact. */
export const platformClass = new RegExp(
  `^(?:${listsOf('jvm/platform')('packages').join('|').replaceAll('.', '\\.')})(?:\\.|$)`,
);

/**
 * Finds the artifacts that a class comes from, among those that the lock files name. Where the table lists its package, the
 * answer is certain. Where the group is the beginning of the package, or the package holds all words of the artifact, it is
 * likely. In large groups several fit equally well: then all are answered, since to miss the right one would be worse.
 */
export function mavenPackageFinder(packageNames: readonly string[]): (className: string) => readonly string[] {
  const known = new Set(packageNames);
  const table = packageTable(rowsOf('jvm/packages'), (artifact) => (known.has(artifact) ? artifact : undefined));
  const candidates = packageNames.map((name) => {
    const [group = '', artifact = ''] = name.split(':');
    const words = artifact
      .toLowerCase()
      .split(/[-_.]/)
      .filter((word) => word !== '' && !/^\d/.test(word));
    return { name, group: group.split('.'), words, specific: words.filter((word) => !generic.has(word)) };
  });
  const find = (packageName: string): readonly string[] => {
    const parts = packageName.split('.');
    for (let length = parts.length; length > 0; length--) {
      const found = table.get(parts.slice(0, length).join('.'));
      if (found !== undefined && found.length > 0) return found;
    }
    let best: string[] = [];
    let bestScore = 0;
    for (const { name, group, words, specific } of candidates) {
      const isInGroup = group.length > 1 && group.every((part, index) => part === parts[index]);
      const isOfVendor = group.length > 1 && group.slice(0, 2).every((part, index) => part === parts[index]);
      const fitting = words.filter((word) => parts.includes(word)).length;
      const hasAll = specific.length > 0 && specific.every((word) => parts.includes(word));
      if (!isInGroup && !hasAll) continue;
      if (!isInGroup && !isOfVendor && specific.length < 2) continue;
      const score = 1 + (isInGroup ? 4 * group.length : 0) + 2 * fitting - (words.length - fitting);
      if (score > bestScore) {
        best = [name];
        bestScore = score;
      } else if (score === bestScore) best.push(name);
    }
    return best;
  };
  const remembered = remembering(find);
  return (className) =>
    remembered(
      className
        .split('.')
        .filter((part) => /^[a-z_]/.test(part))
        .join('.'),
    );
}
