import { packageKey } from '../../shared/packages/package-name.js';
import { isAffected } from '../matching/affected.js';
import { identityOf } from '../tech-stack/stack-package.js';
import { affectedBeginnings } from './affected-run.js';
import { hasOneVersion } from './edit-rules.js';
import { packageIn, placeOf, sourceOf } from './graph.js';
import type { PackagePlan } from './package-plan.js';
import type { PlanAlert, PlanPackage } from './plan-alerts.js';
import { type Moves, type Outcome, reaches, type Unlisted } from './replay.js';

/**
 * The state of an alert after a sync that follows the plan. `unknown`: a resolver decides, or a new version that no lock
 * file has shown.
 */
export type Fate = 'closed' | 'left' | 'unknown';

export interface Afterwards {
  /** Null where the graph is too large to be replayed. */
  readonly outcome: Outcome | null;
  /** Packages that may bring anything: see `replay`. */
  readonly unlisted: ReadonlyMap<string, Unlisted>;
  readonly moves: Moves;
  /** Sources in which something moves; the others stay as they are. */
  readonly touched: ReadonlySet<string>;
}

interface Copy {
  readonly certain: boolean;
  readonly source: string;
  readonly version: string;
}

/**
 * The fate of each alert of a package. Does not look at what the plan says to close: it matches every version that is there afterwards.
 */
export function fatesOf(pkg: PlanPackage, plan: PackagePlan, after: Afterwards): ReadonlyMap<string, Fate> {
  const copies = copiesOf(pkg, plan, after);
  const doubtful = doubtfulSources(pkg, after).filter((source) => {
    // With one version for all, what is sure to be there is all that is there.
    return !(hasOneVersion(source) && copies.some((each) => each.source === source && each.certain));
  });
  const fateOf = ({ ecosystem, advisory_ids }: PlanAlert): Fate => {
    const own = pkg.advisories.filter(({ id }) => advisory_ids.includes(id));
    const open = copies.filter(({ version }) => own.some(({ affected }) => isAffected(ecosystem, version, affected)));
    if (open.some(({ certain }) => certain)) return 'left';
    if (open.length > 0) return 'unknown';
    const beginnings = affectedBeginnings(ecosystem, own);
    const isCovered = (source: string) => {
      const overrides = after.moves.overrides.get(packageIn(source, pkg)) ?? [];
      return (
        beginnings?.every((first) => overrides.some((each) => each.only === null && reaches(pkg, each, first))) === true
      );
    };
    return doubtful.every(isCovered) ? 'closed' : 'unknown';
  };
  return new Map(pkg.alerts.map((alert) => [alert.id, fateOf(alert)]));
}

/** The sources that another package may bring any version of this one into. */
function doubtfulSources(pkg: PlanPackage, { outcome, unlisted, touched }: Afterwards): string[] {
  if (outcome === null) return [...touched];
  const bringers = [...unlisted.keys()].filter((key) => !key.endsWith(`\n${packageKey(pkg)}`));
  return [...new Set(bringers.map(sourceOf))];
}

function copiesOf(pkg: PlanPackage, { moved }: PackagePlan, after: Afterwards): Copy[] {
  const known = new Set(pkg.places.map(({ version }) => version));
  const unplaced = new Set(pkg.alerts.flatMap(({ versions }) => versions).filter((version) => !known.has(version)));
  const sources = new Set([...pkg.places.map(({ source }) => source), ...after.touched]);
  return [
    ...[...unplaced].map((version) => ({
      source: '',
      certain: true,
      version: moved.get(version)?.target.to ?? version,
    })),
    ...[...sources].flatMap((source) => copiesIn(source, pkg, after)),
  ];
}

function copiesIn(source: string, pkg: PlanPackage, { outcome, moves, touched }: Afterwards): Copy[] {
  const there = pkg.places.filter((place) => place.source === source);
  if (!touched.has(source)) return there.map(({ version }) => ({ source, version, certain: true }));
  if (outcome !== null) {
    const versions = outcome.get(packageIn(source, pkg)) ?? new Map<string, boolean>();
    return [...versions].map(([version, certain]) => ({ source, version, certain }));
  }
  return there.flatMap((place) => {
    const override = moves.overrides.get(packageIn(source, pkg))?.find((each) => reaches(pkg, each, place.version));
    const own = moves.own.get(placeOf(source, identityOf(place)));
    const [to] = override === undefined ? (own?.versions ?? []) : [override.to];
    const isSure = (override ?? own)?.certain === true && place.bundled_in === null;
    const unsure = { source, certain: false };
    return [
      ...(to === undefined ? [] : [{ ...unsure, version: to }]),
      ...(isSure ? [] : [{ ...unsure, version: place.version }]),
    ];
  });
}
