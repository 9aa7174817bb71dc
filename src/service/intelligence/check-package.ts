import { maxCheckedAdvisories } from '../../procedures/intelligence.js';
import { normaliseName, printPurl } from '../../shared/packages/purl.js';
import type { Context, Handlers } from '../api/handler.js';
import { feedCoverage } from '../coverage/feed-coverage.js';
import { listFeeds } from '../coverage/feed-rows.js';
import { unreadGapsOfPackage } from '../coverage/unread-records.js';
import type { Transaction } from '../db/database.js';
import { ageFor } from '../feeds/staleness.js';
import { invalidField } from '../http/api-error.js';
import { isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';
import { type PackageVersion, readCoordinate } from '../packages/coordinate.js';
import { foldedNames, legacyNames } from '../packages/legacy-names.js';
import type { RegistryAnswer } from '../registries/ask-registry.js';
import type { RegistryLookup } from '../registries/registry-lookup.js';
import { healthOf } from '../tech-stack/health.js';
import { knownVersions } from './known-versions.js';
import { toMatched, worstFirst } from './matched-advisory.js';
import { advisoriesOf } from './package-advisories.js';
import { packageCoverage } from './package-coverage.js';
import { readKnowledge } from './package-knowledge.js';

/** What is known about a package version, which need not be in any project. `registries` is null where none is asked. */
export function checkPackage(registries: RegistryLookup | null): Handlers['intelligence']['checkPackage'] {
  return {
    async read(input) {
      const named = readCoordinate(input);
      if ('reason' in named) throw invalidField(named.field, named.reason);
      const registry = registries === null ? null : await registries.find(named, (tx) => isDoubtful(tx, named));
      const folded = foldedNames([input]);
      return async (ctx) => {
        const legacy = await legacyNames(ctx.tx, folded);
        const subject = { ...named, name: legacy.get(named.name) ?? named.name };
        return answerAbout(subject, await readPackage(ctx, subject), { registry, now: ctx.now });
      };
    },
  };
}

/** Whether the advisories leave open that this version exists. */
async function isDoubtful(tx: Transaction, { ecosystem, name, version }: PackageVersion): Promise<boolean> {
  const advisories = await advisoriesOf(tx, { ecosystem, package_name: normaliseName(ecosystem, name) });
  const entries = advisories.map(({ affected }) => affected);
  return knownVersions(ecosystem, version, { entries, tracked: [] }).above === true;
}

/** All that we hold about a package, whatever its version. */
export async function readPackage(
  { tx, organisationId, now }: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  { ecosystem, name }: Omit<PackageVersion, 'version'>,
) {
  const key = { ecosystem, package_name: normaliseName(ecosystem, name) };
  const feeds = await listFeeds(tx);
  const health = await tx
    .selectFrom('package_health')
    .selectAll()
    .where('ecosystem', '=', ecosystem)
    .where('package_name', '=', key.package_name)
    .executeTakeFirst();
  return {
    key,
    advisories: await advisoriesOf(tx, key),
    health,
    knowledge: await readKnowledge(tx, organisationId, key),
    feeds: feedCoverage(feeds, [ecosystem], now),
    unread: await unreadGapsOfPackage(tx, key),
    age: ageFor(feeds, ecosystem, now),
  };
}

/** The answer about one version, from what we hold and what a registry has answered. */
export function answerAbout(
  named: PackageVersion,
  held: Awaited<ReturnType<typeof readPackage>>,
  { registry, now }: { readonly registry: RegistryAnswer | null; readonly now: Date },
) {
  const { ecosystem, name, version } = named;
  const { key, advisories, health, knowledge, feeds, unread, age } = held;
  const matched = advisories.filter(({ affected }) => isAffected(ecosystem, version, affected)).map(toMatched);
  const malware = matched.find(({ malicious }) => malicious);
  const search = { ecosystem, version, advisories, matched: matched.length, knowledge, feeds, unread, registry, now };
  const { coverage, canRecommend } = packageCoverage(search);
  const entries = advisories.map(({ affected }) => affected);
  return {
    package: { ecosystem, name, version, purl: printPurl({ ...named, name }) },
    advisories: matched.sort(worstFirst).slice(0, maxCheckedAdvisories),
    total: matched.length,
    // The package is not read from a manifest here, so there is no deprecation notice from one.
    health: healthOf({ ...key, version, deprecated: null, source: '' }, health, malware?.id),
    safe_version: canRecommend ? nearestSafeVersion(ecosystem, version, entries) : null,
    as_of: age,
    coverage,
  };
}
