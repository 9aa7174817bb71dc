import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { PackageAdvice } from '../alerts/package-advice.js';
import { isAffected } from '../matching/affected.js';
import { compareVersions } from '../matching/versions/index.js';
import { otherRuns, startOfAffected } from './affected-run.js';
import { type Edit, keptBeside, keysVersions, overridesOf, type Place, replacesAll, wayTo } from './edits.js';
import { type Jump, jumpOf } from './jump.js';
import { type AdvisoryOf, type Target, targetOf } from './target.js';

export interface PlannedStep {
  readonly from: string;
  readonly to: string;
  readonly status: SafeVersionStatus;
  readonly jump: Jump;
  readonly how: 'direct' | 'override' | 'unknown';
  /** The version was published, and its tool takes exactly this one; where not, it may refuse. */
  readonly certain: boolean;
  /** Its override replaces every installed version. */
  readonly all_versions: boolean;
  /** Each once. */
  readonly edits: readonly Edit[];
}

/** What the rest of the plan means for one place. */
export interface Surroundings {
  /** A copy is in the archive of a package that stays. */
  isHeld(place: Place): boolean;
  /** Its archive carries other packages: what a newer one carries is not known. */
  isCarrier(place: Place): boolean;
  /** A package that moves leads to it, so that it may come in other versions. */
  isBelowMoved(place: Place): boolean;
}

/** The versions of a package, and all advisories that count for it. */
interface Versions {
  readonly ecosystem: Ecosystem;
  readonly places: readonly Place[];
  readonly advisories: readonly AdvisoryOf[];
  readonly advice: PackageAdvice;
}

/** The target of each version. Where an override replaces all versions of a source, the highest target is that of all. */
export function targetsFor({ places, advisories, advice }: Omit<Versions, 'ecosystem'>) {
  return (ecosystem: Ecosystem, from: string): Target => {
    const own = targetOf(ecosystem, from, advisories, advice);
    const sources = places
      .filter((each) => each.version === from && replacesAll(each.source))
      .map(({ source }) => source);
    const beside = places.filter(({ source, version }) => version !== from && sources.includes(source));
    if (own.to === null || beside.length === 0) return own;
    const others = beside.flatMap(({ version }) => {
      const isClear = !advisories.some(({ affected }) => isAffected(ecosystem, version, affected));
      const stays: Target = { from, to: version, status: 'published', remaining: new Set() };
      return isClear ? [stays] : targetOf(ecosystem, version, advisories, advice);
    });
    const isHigher = (a: Target, b: Target) =>
      b.to === null || (a.to !== null && (compareVersions(ecosystem, a.to, b.to) ?? 0) > 0);
    const highest = others.reduce((high, each) => (isHigher(each, high) ? each : high), own);
    return { ...highest, from };
  };
}

/** Null where one of its places cannot come to the version. */
export function stepOf(
  { ecosystem, places, advisories, advice }: Versions,
  { from, to, status }: { readonly from: string; readonly to: string; readonly status: SafeVersionStatus },
  { isBelowMoved }: Surroundings,
): PlannedStep | null {
  const isIn = (version: string) => advisories.some(({ affected }) => isAffected(ecosystem, version, affected));
  const closed = advisories.filter(({ affected }) => !isAffected(ecosystem, to, affected));
  const move = { start: startOfAffected(ecosystem, from, closed), to };
  const edits = new Map<string, Edit>();
  const add = (edit: Edit) => edits.set(`${edit.file}\n${edit.change}`, edit);
  const hows = new Set<PlannedStep['how']>();
  let certain = status === 'published';
  let all = false;
  for (const place of places.filter(({ version }) => version === from)) {
    const way = wayTo(place, move);
    if (way.how === 'parent') return null;
    hows.add(way.how);
    certain &&= way.certain;
    const beside = places.filter(({ source, version }) => source === place.source && version !== from);
    all ||= beside.length > 0 && replacesAll(place.source);
    for (const edit of way.edits) add(edit);
    if (isBelowMoved(place) && keysVersions(place.source)) {
      const others = otherRuns(ecosystem, from, closed, advice);
      for (const run of others ?? []) for (const edit of overridesOf(place, run)) add(edit);
      certain &&= others?.every((run) => run.status === 'published') ?? false;
    }
    for (const other of beside.filter(({ version }) => !isIn(version))) {
      const kept = keptBeside(other, (compareVersions(ecosystem, other.version, to) ?? 0) > 0);
      if (kept !== null) add(kept);
    }
  }
  const [only = 'unknown'] = hows;
  const how = hows.has('unknown') ? 'unknown' : hows.has('direct') ? 'direct' : only;
  return { from, to, status, jump: jumpOf(from, to), how, certain, all_versions: all, edits: [...edits.values()] };
}
