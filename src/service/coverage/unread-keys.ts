import { type UnreadPart, weakReasons } from '../../procedures/unread.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageName } from '../../shared/packages/package-name.js';
import { normaliseName } from '../../shared/packages/purl.js';

/** Begins the keys of parts with one of `weakReasons`. */
export const weakKeyPrefix = 'weak ';

/**
 * By what an unread part is found: its ecosystem and name as the registry compares it. `*` stands for any. A name that no registry has, or
 * whose ecosystem is not known, is found by its loose name.
 */
export function unreadKey({ ecosystem, name, reason }: Pick<UnreadPart, 'ecosystem' | 'name' | 'reason'>): string {
  if (weakReasons.includes(reason)) return `${weakKeyPrefix}${keyOf(ecosystem, name)}`;
  // Capitals may be those of an old name, or of a title.
  return keyOf(ecosystem, ecosystem === 'npm' ? (name?.toLowerCase() ?? null) : name);
}

function keyOf(ecosystem: Ecosystem | null, name: string | null): string {
  if (name === null) return `${ecosystem ?? '*'} *`;
  if (ecosystem === null) return `* ${looseName(name)}`;
  return packageName.safeParse(name).success
    ? `${ecosystem} ${normaliseName(ecosystem, name)}`
    : `${ecosystem} ~${looseName(name)}`;
}

/** The keys of all unread parts that could be the package. */
export function keysOfPackage(ecosystem: Ecosystem, package_name: string): string[] {
  const named = [`${ecosystem} ${package_name}`, `${ecosystem} ~${looseName(package_name)}`];
  if (ecosystem === 'npm') named.push(`${ecosystem} ${package_name.toLowerCase()}`);
  const keys = [...named, ...looseNamesOf(package_name).map((loose) => `* ${loose}`)];
  return [...new Set([...keys, ...keys.map((key) => `${weakKeyPrefix}${key}`), `${ecosystem} *`, '* *'])];
}

const archive = /\.(?:jar|war|ear|aar|dll|whl|gem|nupkg|phar|crate|egg|zip|tgz|tar(?:\.\w+)?|(?:min\.)?js)$/i;

/** As `-1.0-SNAPSHOT`, `.12.0.3`, `_2.13`, `-5.0.0.gem` without its ending, and `-2`. */
const versionTail = /[-_.]v?\d+(?:\.\d+)+(?:[-_.+].*)?$|-\d[\w.+]*$/i;

/**
 * The last part of a name without scope or group, the major version of a Go module, the ending of an archive, its version, and what
 * separates words. `*` where nothing is left, so that it is found by any package.
 */
function looseName(name: string): string {
  const path = name.startsWith('pkg:') ? name.replace(/(?<=.)[@?#].*$/, '') : name;
  const last = path.replace(/(?:\/|\.)v\d+$/, '').replace(/^.*[/:\\]/, '');
  const bare = last.replace(archive, '').replace(versionTail, '');
  return joined(wordsIn(bare.replace(publisher, ''))) || '*';
}

/** What titles put before the name of a product, as in `Apache Commons Text`. */
const publisher = /^(?:the|apache|eclipse|jboss)[\s_-]+(?=\S)/i;

/** Names of runtimes and of collections, which say nothing of one package. */
const general: ReadonlySet<string> = new Set(['node', 'java', 'python', 'php', 'commons', 'apache', 'org', 'com']);

/**
 * What a document without ecosystems may call a package: its own name, and that of the product that it is a part of: `log4j` of
 * `org.apache.logging.log4j:log4j-core`, `Spring Framework` of `org.springframework:spring-beans`.
 */
function looseNamesOf(package_name: string): string[] {
  const own = looseName(package_name);
  const [, group = '', name = ''] = /^@?([^/:]+)[/:]([^/:]+)$/.exec(package_name) ?? [];
  if (group === '') return [own];
  const product = joined(wordsIn(group.replace(/^.*\./, '')));
  const words = wordsIn(name);
  const beginnings = [words, [product, ...words]].flatMap((all) => all.map((_, nth) => joined(all.slice(0, nth + 1))));
  return [own, ...beginnings.filter((each) => each.length > 2 && !general.has(each))];
}

function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[-_.\s]+/)
    .filter((word) => word !== '');
}

function joined(words: readonly string[]): string {
  return words.join('');
}
