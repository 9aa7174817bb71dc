import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Transaction } from '../db/database.js';
import { type ReleaseFacts, unknownRelease } from './listing.js';
import { readRuns } from './release-runs.js';
import { maxListDays, type NamedKey } from './version-lists.js';

export interface Release extends ReleaseFacts {
  readonly version: string;
}

/** The releases of one package that can be installed, as its registry lists them. */
export interface Releases {
  /** The version that is installed where nobody names one; null where the registry does not say. */
  readonly latest: string | null;
  /** Where releases are known: releases before pre-releases, the newest first. */
  readonly versions: readonly string[];
  /** Undefined for a version that is not in `versions`, letter by letter. */
  release(version: string): Release | undefined;
}

/** By `packageKey`, those of the packages whose list is known and believed to be whole. Up to some thousand packages in one query. */
export async function loadReleases(
  tx: Transaction,
  packages: readonly Omit<NamedKey, 'name'>[],
  now: Date,
): Promise<ReadonlyMap<string, Releases>> {
  if (packages.length === 0) return new Map();
  const ecosystems = packages.map(({ ecosystem }) => ecosystem);
  const names = packages.map(({ package_name }) => package_name);
  const { rows } = await sql<Omit<NamedKey, 'name'> & StoredReleases>`
    select ecosystem, package_name, latest, versions, releases from registry_versions
    where (ecosystem, package_name) in (select * from unnest(${ecosystems}::text[], ${names}::text[]))
      and looked_up_at >= ${now}::timestamptz - make_interval(days => ${maxListDays})
      and (versions <> '{}' or yanked <> '{}')`.execute(tx);
  return new Map(rows.map((row) => [packageKey(row), releasesOf(row)]));
}

interface StoredReleases {
  readonly latest: string | null;
  readonly versions: readonly string[];
  /** As `writeRuns` has written it, in the order of `versions`. */
  readonly releases: string | null;
}

/** The facts are read when they are first asked for: a plan looks into few of the packages that it may need. */
function releasesOf({ latest, versions, releases }: StoredReleases): Releases {
  let known: ReadonlyMap<string, ReleaseFacts> | null = null;
  return {
    latest,
    versions,
    release(version) {
      known ??= factsByVersion(versions, releases === null ? [] : readRuns(releases));
      const facts = known.get(version);
      return facts && { version, ...facts };
    },
  };
}

function factsByVersion(versions: readonly string[], facts: readonly ReleaseFacts[]) {
  return new Map(versions.map((version, place) => [version, facts[place] ?? unknownRelease]));
}
