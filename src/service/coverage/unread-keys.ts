import type { UnreadPart } from '../../procedures/unread.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageName } from '../../shared/packages/package-name.js';
import { normaliseName } from '../../shared/packages/purl.js';

/**
 * By what an unread part is found: its ecosystem and name as the registry compares it. `*` stands for any. A name that no registry has, or
 * whose ecosystem is not known, is found by its loose name.
 */
export function unreadKey({ ecosystem, name }: Pick<UnreadPart, 'ecosystem' | 'name'>): string {
  if (name === null) return `${ecosystem ?? '*'} *`;
  if (ecosystem === null) return `* ${looseName(name)}`;
  return packageName.safeParse(name).success
    ? `${ecosystem} ${normaliseName(ecosystem, name)}`
    : `${ecosystem} ~${looseName(name)}`;
}

/** The keys of all unread parts that could be the package. */
export function keysOfPackage(ecosystem: Ecosystem, package_name: string): string[] {
  const loose = looseName(package_name);
  return [`${ecosystem} ${package_name}`, `${ecosystem} ~${loose}`, `${ecosystem} *`, `* ${loose}`, '* *'];
}

/**
 * The last part of a name without scope or group, the major version of a Go module, the ending of an archive, its version, and what
 * separates words. `*` where nothing is left, so that it is found by any package.
 */
function looseName(name: string): string {
  const last = name.replace(/(?:\/|\.)v\d+$/, '').replace(/^.*[/:\\]/, '');
  const bare = last.replace(/\.(?:jar|war|ear|aar|dll|whl|gem|nupkg|tgz|js)$/i, '').replace(/-\d[\da-z.+_]*$/i, '');
  return bare.toLowerCase().replace(/[-_.\s]+/g, '') || '*';
}
