import { maxCheckedAdvisories } from '../../procedures/intelligence.js';
import { normaliseName, printPurl } from '../../shared/packages/purl.js';
import type { Handlers } from '../api/handler.js';
import { readIntelligenceAge } from '../feeds/staleness.js';
import { invalidField } from '../http/api-error.js';
import { isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';
import { readCoordinate } from '../packages/coordinate.js';
import { foldedNames, legacyNames } from '../packages/legacy-names.js';
import { healthOf } from '../tech-stack/health.js';
import { toMatched, worstFirst } from './matched-advisory.js';
import { advisoriesOf } from './package-advisories.js';

/** What is known about a package version, which need not be in any project. */
export const checkPackage: Handlers['intelligence']['checkPackage'] = async ({ tx, now }, input) => {
  const named = readCoordinate(input);
  if ('reason' in named) throw invalidField(named.field, named.reason);
  const { ecosystem, version } = named;
  const name = (await legacyNames(tx, foldedNames([input]))).get(named.name) ?? named.name;
  const key = { ecosystem, package_name: normaliseName(ecosystem, name) };
  const known = await advisoriesOf(tx, key);
  const matched = known.filter(({ affected }) => isAffected(ecosystem, version, affected)).map(toMatched);
  const malware = matched.find(({ malicious }) => malicious);
  const health = await tx
    .selectFrom('package_health')
    .selectAll()
    .where('ecosystem', '=', ecosystem)
    .where('package_name', '=', key.package_name)
    .executeTakeFirst();
  const entries = known.map(({ affected }) => affected);
  return {
    package: { ecosystem, name, version, purl: printPurl({ ...named, name }) },
    advisories: matched.sort(worstFirst).slice(0, maxCheckedAdvisories),
    total: matched.length,
    // The package is not read from a manifest here, so there is no deprecation notice from one.
    health: healthOf({ ...key, version, deprecated: null, source: '' }, health, malware?.id),
    safe_version: nearestSafeVersion(ecosystem, version, entries),
    as_of: await readIntelligenceAge(tx, now),
  };
};
