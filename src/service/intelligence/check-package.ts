import { maxCheckedAdvisories } from '../../procedures/intelligence.js';
import { normaliseName, printPurl } from '../../shared/packages/purl.js';
import { adviseVersion, loadAdvice, type PackageAdvice } from '../alerts/package-advice.js';
import type { Context, Handlers } from '../api/handler.js';
import { feedCoverage, listFeeds } from '../coverage/feed-coverage.js';
import { unreadGapsOfPackage } from '../coverage/unread-parts.js';
import type { Transaction } from '../db/database.js';
import { ageFor } from '../feeds/staleness.js';
import { invalidField } from '../http/api-error.js';
import { isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';
import { type PackageVersion, readCoordinate } from '../packages/coordinate.js';
import { moduleOf } from '../packages/go-module.js';
import { foldedNames, legacyNames } from '../packages/legacy-names.js';
import type { ReceiptSigner } from '../receipts/signer.js';
import { withReceipt } from '../receipts/with-receipt.js';
import type { RegistryAnswer } from '../registries/ask-registry.js';
import type { RegistryLookup } from '../registries/registry-lookup.js';
import type { NamedKey } from '../registries/version-lists.js';
import { healthOf } from '../tech-stack/health.js';
import { knownVersions } from './known-versions.js';
import { toMatched, worstFirst } from './matched-advisory.js';
import { advisoriesOf } from './package-advisories.js';
import { packageCoverage } from './package-coverage.js';
import { readKnowledge } from './package-knowledge.js';

/** What is known about a package version, which need not be in any project. `registries` is null where none is asked. */
export function checkPackage(
  registries: RegistryLookup | null,
  receipts: ReceiptSigner,
): Handlers['intelligence']['checkPackage'] {
  return async ({ step }, input) => {
    const named = readCoordinate(input);
    if ('reason' in named) throw invalidField(named.field, named.reason);
    const registry = registries === null ? null : await registries.find(named, (tx) => isDoubtful(tx, named));
    await registries?.learnVersions((tx) => toList(tx, named));
    const folded = foldedNames([input]);
    return step(async (ctx) => {
      const legacy = await legacyNames(ctx.tx, folded);
      const known = { ...named, name: legacy.get(named.name) ?? named.name };
      const subject = await moduleOf(ctx.tx, ctx.organisationId, known);
      const answer = async () => ({
        ...answerAbout(subject, await readPackage(ctx, subject), { registry, now: ctx.now }),
        package_path: subject.name === known.name ? null : known.name,
      });
      if (input.receipt !== true) return answer();
      const asked = { procedure: 'intelligence.checkPackage', input, scope: null };
      return withReceipt(receipts, ctx, asked, answer);
    });
  };
}

/** Whether the advisories leave open that this version exists. */
async function isDoubtful(tx: Transaction, named: PackageVersion): Promise<boolean> {
  const { ecosystem, name, version } = await moduleOf(tx, null, named);
  // The registry of Go knows modules only: of a package's path it would deny that it exists.
  if (name !== named.name) return false;
  const advisories = await advisoriesOf(tx, { ecosystem, package_name: normaliseName(ecosystem, name) });
  const entries = advisories.map(({ affected }) => affected);
  return knownVersions(ecosystem, version, { entries, tracked: [] }).above === true;
}

/** The package, where another version of it is to be proposed: then it matters which were published. */
async function toList(tx: Transaction, named: PackageVersion): Promise<NamedKey[]> {
  const { ecosystem, name, version } = await moduleOf(tx, null, named);
  const key = { ecosystem, package_name: normaliseName(ecosystem, name) };
  const entries = (await advisoriesOf(tx, key)).map(({ affected }) => affected);
  const nearest = nearestSafeVersion(ecosystem, version, entries);
  return nearest === null || nearest === version ? [] : [{ ...key, name }];
}

/** All that we hold about a package, whatever its version. */
export async function readPackage(
  { tx, organisationId, now }: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  { ecosystem, name }: Omit<PackageVersion, 'version'>,
) {
  const key = { ecosystem, package_name: normaliseName(ecosystem, name) };
  const feeds = await listFeeds(tx);
  const [advice = withheld] = await loadAdvice({ tx, organisationId, now }, [key]);
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
    advice,
  };
}

const withheld: PackageAdvice = { seen: [], registry: null, withheld: true, as_of: null };

/** The answer about one version, from what we hold and what a registry has answered. */
export function answerAbout(
  named: PackageVersion,
  held: Awaited<ReturnType<typeof readPackage>>,
  { registry, now }: { readonly registry: RegistryAnswer | null; readonly now: Date },
) {
  const { ecosystem, name, version } = named;
  const { key, advisories, health, knowledge, feeds, unread, age, advice } = held;
  const matched = advisories.filter(({ affected }) => isAffected(ecosystem, version, affected)).map(toMatched);
  const malware = matched.find(({ malicious }) => malicious);
  const search = { ecosystem, version, advisories, matched: matched.length, knowledge, feeds, unread, registry, now };
  const { coverage, canRecommend } = packageCoverage(search);
  const entries = advisories.map(({ affected }) => affected);
  const safe = canRecommend ? adviseVersion({ ecosystem, version }, entries, advice) : null;
  return {
    package: { ecosystem, name, version, purl: printPurl({ ...named, name }) },
    advisories: matched.sort(worstFirst).slice(0, maxCheckedAdvisories),
    total: matched.length,
    // The package is not read from a manifest here, so there is no deprecation notice from one.
    health: healthOf({ ...key, version, deprecated: null, source: '' }, health, malware?.id),
    safe_version: safe?.version ?? null,
    safe_version_status: safe?.status ?? null,
    as_of: age,
    coverage,
  };
}
