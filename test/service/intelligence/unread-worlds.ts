import { type UnreadPart, type UnreadReason, unreadWords } from '../../../src/procedures/unread.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { printPurl } from '../../../src/shared/packages/purl.js';
import type { Random } from './random-feeds.js';
import { complete, hidingFile, type LockFile } from './unread-files.js';

/** A package of the worlds. Versions below 2.0.0 are affected by `cve`. */
export interface WorldPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** What a document without ecosystems may call it. */
  readonly loose: readonly string[];
  readonly cve: string;
}

/** A source as its tool sends it. */
export type WorldSource =
  | { readonly kind: 'sync'; readonly packages: readonly object[]; readonly unread: readonly UnreadPart[] }
  | { readonly kind: 'file'; readonly file: LockFile }
  | { readonly kind: 'document'; readonly document: object };

/** What is installed, and how the sources of a project state it: as a package, or in a way that nothing can place. */
export interface World {
  readonly asked: WorldPackage;
  /** Whether the asked package is truly installed at an affected version. */
  readonly isAffected: boolean;
  /** Whether nothing in the sources could be the asked package but a version that is not affected. */
  readonly isClear: boolean;
  readonly sources: readonly WorldSource[];
}

/** How a source has the asked package. */
type Place = 'absent' | 'placed' | 'hidden';

/** At most so many sources. */
const maxSources = 3;

const safe = '2.1.0';
const affected = '1.0.0';

/** Draws a world: the truth first, then how the sources tell it. One of them has the package; others may have it at a safe version. */
export function drawWorld(random: Random, all: readonly WorldPackage[]): World {
  const asked = random.pick(all);
  const truth = random.pick(['absent', 'absent', 'safe', 'affected', 'affected'] as const);
  const version = truth === 'affected' ? affected : safe;
  const place = truth === 'absent' ? 'absent' : random.chance(0.4) ? 'placed' : 'hidden';
  const sources = [drawSource(random, all, { asked, version, place })];
  while (sources.length < maxSources && random.chance(0.4)) {
    const isThere = truth !== 'absent' && random.chance(0.3);
    sources.push(drawSource(random, all, { asked, version: safe, place: isThere ? 'placed' : 'absent' }));
  }
  return {
    asked,
    isAffected: truth === 'affected',
    isClear: place === 'absent' || (truth === 'safe' && place === 'placed'),
    sources: random.chance(0.5) ? sources : sources.toReversed(),
  };
}

interface Drawn {
  readonly asked: WorldPackage;
  readonly version: string;
  readonly place: Place;
}

function drawSource(random: Random, all: readonly WorldPackage[], drawn: Drawn): WorldSource {
  const kind = random.pick(['sync', 'file', 'cyclonedx', 'spdx'] as const);
  const others = all.filter((each) => each !== drawn.asked && random.chance(0.1));
  if (kind === 'sync') return drawSync(random, others, drawn);
  if (kind === 'file') return drawFile(random, others, drawn);
  const { asked, version, place } = drawn;
  const components = others.map((each) => (random.chance(0.7) ? placed(each, safe) : hidden(each, safe, random)));
  if (place === 'placed') components.push(placed(asked, version));
  if (place === 'hidden') components.push(hidden(asked, version, random));
  return { kind: 'document', document: kind === 'spdx' ? spdxOf(components) : cyclonedxOf(components) };
}

function drawSync(random: Random, others: readonly WorldPackage[], { asked, version, place }: Drawn): WorldSource {
  const isNoise = new Map(others.map((each) => [each, random.chance(0.4)]));
  const packages = others.filter((each) => !isNoise.get(each)).map((each) => ({ purl: purlOf(each, safe) }));
  const unread = others.filter((each) => isNoise.get(each)).map((each) => named(each, random));
  if (place === 'placed') packages.push({ purl: purlOf(asked, version) });
  if (place === 'hidden') unread.push(random.chance(0.3) ? nameless(asked, random) : named(asked, random));
  return { kind: 'sync', packages, unread };
}

/** A lock file has one ecosystem; of a file without the asked package it may be any. */
function drawFile(random: Random, others: readonly WorldPackage[], { asked, version, place }: Drawn): WorldSource {
  if (place === 'hidden')
    return { kind: 'file', file: hidingFile(asked.ecosystem, { name: asked.name, version }, random) };
  const ecosystem = place === 'placed' ? asked.ecosystem : random.pick([asked, ...others]).ecosystem;
  const listed = others.filter((each) => each.ecosystem === ecosystem).map(({ name }) => ({ name, version: safe }));
  const own = place === 'placed' ? [{ name: asked.name, version }] : [];
  return { kind: 'file', file: complete[ecosystem]([...listed, ...own]) };
}

/** Reasons of parts that name nothing; the rest names what it could not place. `of_runtime` is Go's library alone. */
const namelessReasons = ['file_not_read', 'direct_only', 'more', 'missing_file', 'no_lock_file'] as const;
const namedReasons = Object.keys(unreadWords).filter(
  (reason): reason is Exclude<UnreadReason, (typeof namelessReasons)[number]> =>
    reason !== 'of_runtime' && !namelessReasons.some((each) => each === reason),
);

function named({ ecosystem, name, loose }: WorldPackage, random: Random): UnreadPart {
  const reason = random.pick(namedReasons);
  const spelled = random.chance(0.5) ? { ecosystem, name } : { ecosystem: null, name: random.pick(loose) };
  return { ...spelled, reason, stated: '>=1', at: 'line 3' };
}

function nameless({ ecosystem }: WorldPackage, random: Random): UnreadPart {
  const reason = random.pick(namelessReasons);
  return { ecosystem: random.chance(0.7) ? ecosystem : null, name: null, reason, stated: null, at: null };
}

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
}

function placed(each: WorldPackage, version: string): Component {
  return { type: 'library', name: each.name, version, purl: purlOf(each, version) };
}

function hidden(each: WorldPackage, version: string, random: Random): Component {
  const bare = { type: 'library', name: random.pick(each.loose) };
  const purl = purlOf(each, version).replace(/@[^@]*$/, '');
  return random.pick<Component>([
    bare,
    { ...bare, version },
    { ...bare, type: 'framework', version },
    { ...bare, purl },
    { ...bare, version: 'latest*', purl },
    { ...bare, version: 'latest', purl: `${purl}@^1.0` },
    { ...bare, version, purl: `pkg:github/acme/${bare.name}@${version}` },
    { ...bare, version, purl: `pkg:generic/${encodeURIComponent(bare.name)}@${version}` },
    { ...bare, version, purl: `pkg:bitnami/${encodeURIComponent(bare.name)}@${version}` },
    { ...bare, version, purl: 'not a package URL' },
    { ...bare, version, purl: `${purlOf(each, version)}?vcs_url=git%2Bhttps://example.org/a.git` },
  ]);
}

function purlOf({ ecosystem, name }: WorldPackage, version: string): string {
  return printPurl({ ecosystem, name, version: ecosystem === 'Go' ? `v${version}` : version });
}

/** One component that is surely taken, so that a document of unplaced ones is not refused as a whole. */
const own = { type: 'library', name: 'own', version: '1.0.0', purl: 'pkg:npm/own-of-the-worlds@1.0.0' };

function cyclonedxOf(components: readonly Component[]): object {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [own, ...components] };
}

function spdxOf(components: readonly Component[]): object {
  const packages = [own, ...components].map(({ name, version, purl }, nth) => ({
    SPDXID: `SPDXRef-${nth}`,
    name,
    ...(version !== undefined && { versionInfo: version }),
    ...(purl !== undefined && { externalRefs: [{ referenceType: 'purl', referenceLocator: purl }] }),
  }));
  return { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'world', packages };
}
