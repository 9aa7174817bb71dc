import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { adviseVersion, type PackageAdvice } from '../alerts/package-advice.js';
import { type Affected, isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';

/** What an advisory that counts says of a package. */
export interface AdvisoryOf {
  readonly id: string;
  readonly affected: Affected;
}

/** Where one installed version of a package should go. */
export interface Target {
  readonly from: string;
  /** Above `from`; null where no known version is better. */
  readonly to: string | null;
  /** Whether `to` was published; null where there is none. */
  readonly status: SafeVersionStatus | null;
  /** Ids of the advisories that affect `to`. All of them affect `from` too, and name no fix above it. */
  readonly remaining: ReadonlySet<string>;
}

/**
 * The nearest version that no advisory affects. Where there is none, some advisory names no fix. Then it is the nearest
 * version without the flaws that have a fix: it closes those, and brings no new flaw. Each installed version has a
 * target of its own, because a project with 1.x and 4.x of a package does not want 4.x in place of 1.x.
 */
export function targetOf(
  ecosystem: Ecosystem,
  from: string,
  advisories: readonly AdvisoryOf[],
  advice: PackageAdvice,
): Target {
  const own = { ecosystem, version: from };
  const affectedOf = (all: readonly AdvisoryOf[]) => all.map(({ affected }) => affected);
  const entries = affectedOf(advisories);
  const isClear = !entries.some((entry) => isAffected(ecosystem, from, entry));
  const safe = isClear ? null : adviseVersion(own, entries, advice);
  if (safe !== null) return { from, to: safe.version, status: safe.status, remaining: new Set() };
  const withFix = advisories.filter(({ affected }) => nearestSafeVersion(ecosystem, from, [affected]) !== null);
  const isClearOfThose = !withFix.some(({ affected }) => isAffected(ecosystem, from, affected));
  const better = isClearOfThose ? null : adviseVersion(own, affectedOf(withFix), advice);
  const to = better?.version ?? null;
  const remaining = to === null ? [] : advisories.filter(({ affected }) => isAffected(ecosystem, to, affected));
  return { from, to, status: better?.status ?? null, remaining: new Set(remaining.map(({ id }) => id)) };
}
