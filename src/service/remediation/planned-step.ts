import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isAffected } from '../matching/affected.js';
import { compareVersions } from '../matching/versions/index.js';
import { identityOf } from '../tech-stack/stack-package.js';
import { type Target, targetOf } from './affected-packages.js';
import { startOfAffected } from './affected-run.js';
import { type Asking, ruleOf } from './edit-rules.js';
import { type Edit, isLimited, keptBeside, type Place, wayTo } from './edits.js';
import { packageIn, placeOf } from './graph.js';
import { type Jump, jumpOf } from './jump.js';
import type { PlanPackage } from './plan-alerts.js';
import type { Override, OwnChange } from './replay.js';

export interface PlannedStep {
  readonly from: string;
  readonly to: string;
  readonly status: SafeVersionStatus;
  readonly jump: Jump;
  readonly how: 'direct' | 'override' | 'unknown';
  /** Its override replaces every installed version. */
  readonly all_versions: boolean;
  /** Each once. */
  readonly edits: readonly Edit[];
}

/** A step with what it changes in the graph. */
export interface EditedStep extends PlannedStep {
  /** By `packageIn`. */
  readonly overrides: ReadonlyMap<string, Override>;
  /** By place. */
  readonly own: ReadonlyMap<string, OwnChange>;
}

/** The packages of a place's source that ask for the package in any version, as far as they are known. */
export type AskingsOf = (place: Place) => readonly Asking[];

/** The target of each version. Where an override replaces all versions of a source, the highest target is that of all. */
export function targetsFor({ places, advisories, advice }: PlanPackage, askingsOf: AskingsOf) {
  return (ecosystem: Ecosystem, from: string): Target => {
    const own = targetOf(ecosystem, from, advisories, advice);
    const sources = places
      .filter((each) => each.version === from && !isLimited(each, askingsOf(each)))
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

/**
 * The files to change so that the version comes to its target in some places. Null where one of them cannot: then only a newer version
 * of what brings it in does it.
 */
export function stepOf(
  { ecosystem, package_name, places, advisories }: PlanPackage,
  { from, to, status, remaining }: Target,
  edited: readonly Place[],
  askingsOf: AskingsOf,
): EditedStep | null {
  if (to === null || status === null) return null;
  const isIn = (version: string) => advisories.some(({ affected }) => isAffected(ecosystem, version, affected));
  const closed = advisories.filter(({ id }) => !remaining.has(id));
  const move = { start: startOfAffected(ecosystem, from, closed), to };
  const edits = new Map<string, Edit>();
  const add = (edit: Edit) => edits.set(`${edit.file}\n${edit.change}`, edit);
  const hows = new Set<PlannedStep['how']>();
  const overrides = new Map<string, Override>();
  const own = new Map<string, OwnChange>();
  let all = false;
  for (const place of edited) {
    const askings = askingsOf(place);
    const way = wayTo(place, move, askings);
    if (way.how === 'parent') return null;
    hows.add(way.how);
    const certain = way.certain && status === 'published';
    const beside = places.filter(({ source, version }) => source === place.source && version !== from);
    const isForAll = !isLimited(place, askings);
    all ||= isForAll && beside.length > 0;
    for (const edit of way.edits) add(edit);
    if (way.how !== 'override') own.set(placeOf(place.source, identityOf(place)), { versions: [to], certain });
    if (way.how !== 'direct' || place.needed) {
      overrides.set(packageIn(place.source, { ecosystem, package_name }), {
        ...{ ...move, all: isForAll, certain },
        only: isForAll ? null : onlyFor(place, askings),
      });
    }
    for (const other of beside.filter(({ version }) => !isIn(version))) {
      const kept = keptBeside(other, (compareVersions(ecosystem, other.version, to) ?? 0) > 0);
      if (kept !== null) add(kept);
    }
  }
  const [only = 'unknown'] = hows;
  const how = hows.has('unknown') ? 'unknown' : hows.has('direct') ? 'direct' : only;
  const changes = { all_versions: all, edits: [...edits.values()], overrides, own };
  return { from, to, status, jump: jumpOf(from, to), how, ...changes };
}

/** Whom a limited override reaches, where its key does not name versions. */
function onlyFor({ source, tool, version }: Place, askings: readonly Asking[]): Override['only'] {
  const limit = ruleOf(source, tool)?.nests?.limit;
  const own = askings.filter(({ gets }) => gets === version);
  if (limit === 'askers') return { by: 'name', keys: new Set(own.map(({ name }) => name)) };
  if (limit === 'ranges') return { by: 'range', keys: new Set(own.flatMap(({ range }) => range ?? [])) };
  return null;
}
