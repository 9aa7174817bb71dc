import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Advisory, toAdvisory } from '../../../src/service/matching/advisory.js';
import { type Affected, isAffected } from '../../../src/service/matching/affected.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import type { PackageVersion } from '../../../src/service/packages/coordinate.js';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { packageKey } from '../../../src/shared/packages/package-name.js';
import { normaliseName } from '../../../src/shared/packages/purl.js';
import { dataFile } from '../../support/data.js';

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomNumbers(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}

export type Random = ReturnType<typeof randomNumbers>;

/** A record of the real data: its line, and what we read of it. */
export interface RealRecord {
  readonly line: string;
  readonly advisory: Advisory;
}

/** The real records of an ecosystem about some of its packages. */
export interface Cut {
  readonly ecosystem: Ecosystem;
  readonly records: readonly RealRecord[];
  readonly packages: readonly string[];
}

const files: Readonly<Partial<Record<Ecosystem, readonly string[]>>> = {
  npm: ['ghsa-npm', 'osv-npm-recent'],
  PyPI: ['ghsa-pypi'],
  Maven: ['ghsa-maven'],
  Go: ['go-vulndb'],
  'crates.io': ['rustsec'],
};

const namesSchema = z.object({
  affected: z.array(z.object({ package: z.object({ ecosystem: z.string(), name: z.string() }) })),
});

/** All records about `count` packages of each ecosystem. Only these are read in full. */
export function readCuts(random: Random, count: number): Cut[] {
  return ecosystems.flatMap((ecosystem) => {
    const parts = files[ecosystem] ?? [];
    const named = parts.flatMap((part) =>
      readFileSync(dataFile(`osv/${part}.ndjson`), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const { affected } = namesSchema.parse(JSON.parse(line));
          return { line, names: affected.map(({ package: { name } }) => normaliseName(ecosystem, name)) };
        }),
    );
    if (named.length === 0) return [];
    const all = [...new Set(named.flatMap(({ names }) => names))].sort();
    const packages = Array.from({ length: count }, () => random.pick(all));
    const wanted = new Set(packages);
    const records = named
      .filter(({ names }) => names.some((name) => wanted.has(name)))
      .map(({ line }) => ({ line, advisory: toAdvisory(osvRecordSchema.parse(JSON.parse(line))) }));
    return [{ ecosystem, packages, records }];
  });
}

/** What the complete data says: the entries of each package, of its newest records that are not withdrawn. */
export function truthOf(
  cuts: readonly Cut[],
  withdrawn: ReadonlySet<string>,
): ReadonlyMap<string, readonly Affected[]> {
  const newest = new Map<string, Advisory>();
  for (const { ecosystem, records } of cuts) {
    for (const { advisory } of records) {
      const key = `${ecosystem} ${advisory.id}`;
      const known = newest.get(key);
      if (known === undefined || known.modified <= advisory.modified) newest.set(key, advisory);
    }
  }
  const truth = new Map<string, Affected[]>();
  for (const { id, withdrawn: at, informational, packages } of newest.values()) {
    if (withdrawn.has(id) || at !== null || informational === 'notice' || informational === 'unmaintained') continue;
    for (const { ecosystem, name, affected } of packages) {
      const key = packageKey({ ecosystem, package_name: name });
      truth.set(key, [...(truth.get(key) ?? []), affected]);
    }
  }
  return truth;
}

export function isTrulyAffected(
  truth: ReadonlyMap<string, readonly Affected[]>,
  { ecosystem, name, version }: PackageVersion,
): boolean {
  const entries = truth.get(packageKey({ ecosystem, package_name: normaliseName(ecosystem, name) })) ?? [];
  return entries.some((affected) => isAffected(ecosystem, version, affected));
}

/** Versions at, below and above those that the package's records name. */
export function versionsAround(records: readonly RealRecord[], name: string): string[] {
  const bounds = records.flatMap(({ advisory }) =>
    advisory.packages
      .filter((each) => each.name === name)
      .flatMap(({ affected }) => [
        ...affected.versions.slice(0, 10),
        ...affected.ranges.flatMap(({ events }) => events.flatMap((event) => Object.values(event))),
      ]),
  );
  const around = bounds.flatMap((bound) => [
    bound,
    `${bound}.1`,
    bound.replace(/\d+$/, (last) => `${Number(last) - 1}`),
  ]);
  return ['0.0.1', '1.0.0', '999.0.0', ...around.filter((text) => /^v?\d[\w.+-]*$/.test(text))];
}
