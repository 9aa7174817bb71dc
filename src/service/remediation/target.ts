import type { Ecosystem } from '../../shared/packages/ecosystem.js';
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
  /** Ids of the advisories that affect `to`. All of them affect `from` too, and name no fix above it. */
  readonly remaining: ReadonlySet<string>;
}

/**
 * The nearest version that no advisory affects. Where there is none, some advisory names no fix. Then it is the nearest
 * version without the flaws that have a fix: it closes those, and brings no new flaw. Each installed version has a
 * target of its own, because a project with 1.x and 4.x of a package does not want 4.x in place of 1.x.
 */
export function targetOf(ecosystem: Ecosystem, from: string, advisories: readonly AdvisoryOf[]): Target {
  const safe = nearest(ecosystem, from, advisories);
  if (safe !== null) return { from, to: safe, remaining: new Set() };
  const withFix = advisories.filter((advisory) => nearestSafeVersion(ecosystem, from, [advisory.affected]) !== null);
  const to = nearest(ecosystem, from, withFix);
  const remaining = to === null ? [] : advisories.filter(({ affected }) => isAffected(ecosystem, to, affected));
  return { from, to, remaining: new Set(remaining.map(({ id }) => id)) };
}

/** Null also where none of them affects the installed version: it is no target of itself. */
function nearest(ecosystem: Ecosystem, from: string, advisories: readonly AdvisoryOf[]): string | null {
  const entries = advisories.map(({ affected }) => affected);
  const version = nearestSafeVersion(ecosystem, from, entries);
  return version === from ? null : version;
}
