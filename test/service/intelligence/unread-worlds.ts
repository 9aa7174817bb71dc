import type { UnreadPart } from '../../../src/procedures/unread.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { printPurl } from '../../../src/shared/packages/purl.js';
import type { Random } from './random-feeds.js';

/** A package of the worlds. Versions below 2.0.0 are affected by `cve`. */
export interface WorldPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** What a document without ecosystems may call it. */
  readonly loose: readonly string[];
  readonly cve: string;
}

/** How a source states what is installed: as a package, or in a way that nothing can place. */
export interface World {
  readonly asked: WorldPackage;
  /** Whether the asked package is truly installed at an affected version. */
  readonly isAffected: boolean;
  /** Whether nothing in the source could be the asked package but a version that is not affected. */
  readonly isClear: boolean;
  readonly source:
    | { readonly packages: readonly object[]; readonly unread: readonly UnreadPart[] }
    | { readonly sbom: object };
}

const safe = '2.1.0';
const affected = '1.0.0';

/** Draws a world: the truth first, then how a source tells it. */
export function drawWorld(random: Random, all: readonly WorldPackage[]): World {
  const asked = random.pick(all);
  const others = all.filter((each) => each !== asked && random.chance(0.1));
  const truth = random.pick(['absent', 'absent', 'safe', 'affected', 'affected'] as const);
  const version = truth === 'affected' ? affected : safe;
  const isPlaced = truth !== 'absent' && random.chance(0.4);
  const isAffected = truth === 'affected';
  const isClear = truth === 'absent' || (truth === 'safe' && isPlaced);
  if (random.chance(0.4)) {
    const components = others.map((each) => (random.chance(0.7) ? placed(each, safe) : hidden(each, safe, random)));
    if (truth !== 'absent') components.push(isPlaced ? placed(asked, version) : hidden(asked, version, random));
    return { asked, isAffected, isClear, source: { sbom: sbomOf(components) } };
  }
  const packages = others.map((each) => ({ purl: purlOf(each, safe) }));
  const unread = all.filter((each) => each !== asked && random.chance(0.05)).map((each) => named(each, random));
  if (truth !== 'absent') {
    if (isPlaced) packages.push({ purl: purlOf(asked, version) });
    else unread.push(random.chance(0.3) ? nameless(asked, random) : named(asked, random));
  }
  return { asked, isAffected, isClear, source: { packages, unread } };
}

function named({ ecosystem, name, loose }: WorldPackage, random: Random): UnreadPart {
  const reason = random.pick([
    'no_version',
    'range',
    'not_a_version',
    'git',
    'url',
    'path',
    'alias',
    'property',
  ] as const);
  const spelled = random.chance(0.5) ? { ecosystem, name } : { ecosystem: null, name: random.pick(loose) };
  return { ...spelled, reason, stated: '>=1', at: 'line 3' };
}

function nameless({ ecosystem }: WorldPackage, random: Random): UnreadPart {
  const reason = random.pick(['file_not_read', 'direct_only', 'more', 'missing_file'] as const);
  return { ecosystem: random.chance(0.7) ? ecosystem : null, name: null, reason, stated: null, at: null };
}

interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
}

function placed(each: WorldPackage, version: string): Component {
  return { type: 'library', name: each.name, version, purl: purlOf(each, version) };
}

function hidden(each: WorldPackage, version: string, random: Random): Component {
  const bare = { type: 'library' as const, name: random.pick(each.loose) };
  const purl = purlOf(each, version).replace(/@[^@]*$/, '');
  return random.pick<Component>([
    bare,
    { ...bare, version },
    { ...bare, purl },
    { ...bare, version: 'latest*', purl },
    { ...bare, version, purl: `pkg:github/acme/${bare.name}@${version}` },
    { ...bare, version, purl: 'not a package URL' },
  ]);
}

function purlOf({ ecosystem, name }: WorldPackage, version: string): string {
  return printPurl({ ecosystem, name, version: ecosystem === 'Go' ? `v${version}` : version });
}

function sbomOf(components: readonly Component[]): object {
  // One component that is surely taken, so that a document of unplaced ones is not refused as a whole.
  const own = { type: 'library', name: 'own', version: '1.0.0', purl: 'pkg:npm/own-of-the-worlds@1.0.0' };
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [own, ...components] };
}
