import type { Coverage } from '../../procedures/coverage.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { coverageOfDomain } from '../coverage/coverage.js';
import type { Affected } from '../matching/affected.js';
import { isOneRelease } from '../matching/versions/index.js';
import type { RegistryAnswer } from '../registries/ask-registry.js';
import { knownVersions, type VersionKnowledge } from './known-versions.js';
import type { PackageKnowledge } from './package-knowledge.js';

/** All that an answer about one package version was made from. */
export interface PackageSearch {
  readonly ecosystem: Ecosystem;
  readonly version: string;
  /** Of all advisories of the package that count. */
  readonly advisories: readonly { readonly id: string; readonly affected: Affected }[];
  /** How many of them affect this version. */
  readonly matched: number;
  readonly knowledge: PackageKnowledge;
  /** Of the package's ecosystem. */
  readonly feeds: Coverage['feeds'];
  /** From records that could not be read: those about this package, and those that may be about any. */
  readonly unread: { readonly named: readonly string[]; readonly unnamed: readonly string[] };
  /** Null where no registry was asked. */
  readonly registry: RegistryAnswer | null;
  readonly now: Date;
}

interface PackageCoverage {
  readonly coverage: Coverage;
  /** Whether enough is known of the package to recommend a version of it. */
  readonly canRecommend: boolean;
}

/** Milliseconds. */
const day = 24 * 60 * 60 * 1000;

export function packageCoverage(search: PackageSearch): PackageCoverage {
  const { ecosystem, advisories, matched, knowledge, feeds, unread, registry } = search;
  const isHeld = knowledge.advisory || knowledge.health || knowledge.tracked_versions.length > 0;
  const known = isHeld || foundBy(registry) === 'version' || foundBy(registry) === 'package';
  const unranged = advisories
    .filter(({ affected: { ranges, versions } }) => ranges.length === 0 && versions.length === 0)
    .map(({ id }) => `${id} does not say which versions it affects`);
  const versions = knownVersions(ecosystem, search.version, {
    entries: advisories.map(({ affected }) => affected),
    tracked: knowledge.tracked_versions,
  });
  const decisive = [
    ...(known ? versionGaps(search, versions) : ['no advisory, health record or stack of yours names this package']),
    ...registryGaps(search, versions),
    ...unread.named,
    ...unranged,
    ...(feeds.some(({ as_of }) => as_of === null) ? [`no feed that is loaded has all of ${ecosystem}`] : []),
  ];
  const gaps = [...decisive, ...staleGaps(search), ...unread.unnamed];
  return {
    coverage: coverageOfDomain('dependencies', matched > 0, { feeds, known, gaps }),
    // A version in a stack that advisories affect has an alert, and this answer is the alert's.
    canRecommend: decisive.length === 0 || (matched > 0 && knowledge.tracked_versions.includes(search.version)),
  };
}

function foundBy(registry: RegistryAnswer | null): 'version' | 'package' | 'nothing' | null {
  return registry?.kind === 'found' ? registry.found : null;
}

/** Whether the version exists, by what we hold. A registry that has it leaves no gap. */
function versionGaps(
  { ecosystem, version, advisories, registry }: PackageSearch,
  { tracked, highest, above }: VersionKnowledge,
): string[] {
  // Also where it exists, nobody can tell whether an advisory's range has it.
  if (above === null && advisories.length > 0) return [`${version} has no place among versions: it cannot be compared`];
  if (advisories.length > 0 && !isOneRelease(ecosystem, version)) {
    return [`${version} is a branch: what was installed of it may be older than any version that it holds`];
  }
  if (above === false || tracked || foundBy(registry) === 'version') return [];
  return [
    highest === null || above === null
      ? `nothing here knows a version of it: ${version} may not exist`
      : `${version} is above every version known here (${highest}): it may not exist`,
  ];
}

/** What a registry denies, or did not answer. It was asked because something about the version is in doubt. */
function registryGaps({ ecosystem, version, registry }: PackageSearch, { tracked }: VersionKnowledge): string[] {
  if (registry === null) return [];
  if (registry.kind === 'failed') return [`the registry of ${ecosystem} ${registry.reason}`];
  if (registry.found === 'nothing') return [`the registry of ${ecosystem} has no package of this name`];
  return registry.found === 'package' && !tracked
    ? [`the registry of ${ecosystem} has no version ${version} of it`]
    : [];
}

function staleGaps({ ecosystem, feeds, now }: PackageSearch): string[] {
  return feeds.flatMap(({ as_of, stale }) => {
    if (as_of === null || !stale) return [];
    const days = Math.max(0, Math.floor((now.getTime() - as_of.getTime()) / day));
    return [`the advisories of ${ecosystem} are of ${as_of.toISOString().slice(0, 10)}, ${days} days old`];
  });
}
