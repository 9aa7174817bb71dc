import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { printPurl } from '../../shared/packages/purl.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { nameOf } from '../alerts/alert-row.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import { compareVersions } from '../matching/versions/index.js';
import type { Fate } from './fates.js';
import type { Jump } from './jump.js';
import type { StackPlace } from './load-plan.js';
import { closingMostFirst, type PlanAlert, type Stay, type Weight, weightOf, worstFirst } from './plan-alerts.js';
import type { PlannedStep } from './planned-step.js';
import type { Planned, ProjectPlan } from './project-plan.js';

/** Alerts that close together, worst first. */
interface Closing extends Weight {
  readonly closed: readonly PlanAlert[];
  readonly closes: number;
  readonly mayClose: number;
}

/** A package that a file has to name in another version. */
export interface ProjectUpgrade extends Closing {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
  readonly scope: Scope | null;
  /** The highest version first. */
  readonly steps: readonly PlannedStep[];
  /** The number of its own alerts that stay open. */
  readonly leaves: number;
  /** Other packages that it brings to a good version. */
  readonly fixes: readonly string[];
  /** With the alerts that need it beside another upgrade. */
  readonly rank: Weight;
}

/** The alerts that close without a change of any file but lock files. */
export interface Refresh extends Closing {
  /** Names of what is renewed. */
  readonly names: readonly string[];
}

/** An alert that no step closes for certain. */
export interface OpenAfter extends Stay {
  readonly bundledIn: string | null;
}

export interface PlannedUpgrades {
  readonly refresh: Refresh | null;
  /** Those that close most first. */
  readonly upgrades: readonly ProjectUpgrade[];
  readonly stays: readonly OpenAfter[];
}

interface Draft {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
  readonly steps: Map<string, PlannedStep>;
  /** Those that it closes. */
  readonly alerts: { readonly alert: PlanAlert; readonly fate: Fate; readonly by: Planned }[];
  /** Those that need it beside another upgrade, which counts them. */
  readonly helped: PlanAlert[];
}

type Lifted = ProjectPlan['lifted'];

/** The plan by what is to be done: one refresh, and an upgrade for each package that a file has to name. */
export function upgradesOf({ packages, lifted, refreshed, after }: ProjectPlan): PlannedUpgrades {
  const drafts = new Map<string, Draft>();
  const draftOf = ({ ecosystem, package_name, name }: Pick<Draft, 'ecosystem' | 'package_name' | 'name'>) => {
    const key = packageKey({ ecosystem, package_name });
    const draft: Draft = drafts.get(key) ?? { ecosystem, package_name, name, steps: new Map(), alerts: [], helped: [] };
    drafts.set(key, draft);
    return draft;
  };
  const addStep = ({ steps }: Draft, step: PlannedStep) => {
    const key = `${step.from} ${step.to}`;
    const known = steps.get(key);
    const edits = withoutTwins([...(known?.edits ?? []), ...step.edits]);
    steps.set(key, { ...(known?.how === 'unknown' ? known : step), edits });
  };
  const renewed: Draft['alerts'] = [];
  const stays: OpenAfter[] = [];
  for (const planned of packages) {
    const { pkg, plan, fates } = planned;
    const [first] = pkg.alerts;
    const own = { ...pkg, name: first === undefined ? pkg.package_name : nameOf(first) };
    for (const { step } of plan.moved.values()) if (step !== null) addStep(draftOf(own), step);
    for (const alert of pkg.alerts) {
      const fate = fates.get(alert.id) ?? 'left';
      const stay = plan.stays.get(alert.id);
      if (stay !== undefined && fate !== 'closed') {
        const bundledIn = stay.why === 'bundled' ? holderOf(planned, alert, after) : null;
        stays.push({ ...stay, bundledIn, ...(fate === 'unknown' && { why: 'parent_moves' }) });
      }
      if (stay === undefined && fate === 'left') stays.push({ alert, why: 'newer_parent', to: null, bundledIn: null });
      if (stay !== undefined || fate === 'left') continue;
      const moves = alert.versions.flatMap((version) => plan.moved.get(version) ?? []);
      // The package is gone with those that asked for it, and whatever moved them counts.
      if (moves.every(({ step, ways }) => step === null && ways.length === 0)) continue;
      const lifts = liftsOf(moves, lifted);
      const isOwn = moves.some(({ step }) => step !== null) || lifts.some(({ node }) => isOf(node, pkg));
      const [first, ...others] = isOwn ? [own, ...lifts.map(({ node }) => node)] : lifts.map(({ node }) => node);
      (first === undefined ? renewed : draftOf(first).alerts).push({ alert, fate, by: planned });
      for (const other of others) if (!isOf(other, first ?? pkg)) draftOf(other).helped.push(alert);
    }
  }
  for (const { node, step } of lifted.values()) addStep(draftOf(node), step);
  const upgrades = [...drafts.values()]
    .filter(({ alerts, helped }) => alerts.length > 0 || helped.length > 0)
    .map((draft) => toUpgrade(draft, packages));
  const names = [...new Set([...refreshed.values()].map(({ name }) => name))].sort(compareText);
  return {
    refresh: renewed.length === 0 ? null : { ...closingOf(renewed), names },
    upgrades: upgrades.toSorted((a, b) => closingMostFirst({ ...a, ...a.rank }, { ...b, ...b.rank })),
    stays: stays.toSorted((a, b) => worstFirst(a.alert, b.alert)),
  };
}

/** The direct dependencies that have to change, what breaks most first. */
function liftsOf(moves: readonly PackageMove[], lifted: Lifted) {
  const jumps: readonly Jump[] = ['major', 'unknown', 'minor', 'patch'];
  return moves
    .flatMap(({ ways }) => ways.flatMap(({ lifts }) => lifts))
    .flatMap(({ node }) => lifted.get(node.place) ?? [])
    .toSorted(
      (a, b) =>
        jumps.indexOf(a.step.jump) - jumps.indexOf(b.step.jump) ||
        compareText(a.node.package_name, b.node.package_name),
    );
}

type PackageMove = Planned['plan']['moved'] extends ReadonlyMap<string, infer Move> ? Move : never;

function isOf(node: PackageKey, pkg: PackageKey): boolean {
  return packageKey(node) === packageKey(pkg);
}

function toUpgrade(draft: Draft, packages: ProjectPlan['packages']): ProjectUpgrade {
  const { ecosystem, package_name, name, steps, alerts, helped } = draft;
  const own = packages.find(({ pkg }) => packageKey(pkg) === packageKey(draft));
  const left = [...(own?.fates.values() ?? [])].filter((fate) => fate === 'left');
  const byVersion = (a: PlannedStep, b: PlannedStep) =>
    compareVersions(ecosystem, b.from, a.from) || compareText(a.from, b.from);
  const others = [...alerts.filter(({ by }) => by !== own).map(({ alert }) => alert), ...helped].map(nameOf);
  return {
    ...{ ecosystem, package_name, name },
    ...closingOf(alerts),
    steps: [...steps.values()].toSorted(byVersion),
    leaves: left.length,
    scope: scopeOf(alerts),
    fixes: [...new Set(others)],
    rank: weightOf([...alerts.map(({ alert }) => alert), ...helped]),
  };
}

function closingOf(alerts: Draft['alerts']): Closing {
  const closed = alerts.map(({ alert }) => alert).toSorted(worstFirst);
  const certain = alerts.filter(({ fate }) => fate === 'closed').length;
  return { closed, closes: certain, mayClose: alerts.length - certain, ...weightOf(closed) };
}

/** The nearest to production of the versions that move. */
function scopeOf(alerts: Draft['alerts']): Scope | null {
  const places = alerts.flatMap(({ alert, by }) =>
    by.pkg.places.filter(({ version }) => alert.versions.includes(version)),
  );
  const found = new Set(places.map(({ scope }: StackPlace) => scope));
  return (['runtime', 'optional', 'development'] as const).find((scope) => found.has(scope)) ?? null;
}

/** The package URL of what stays and carries an affected copy in its archive. */
function holderOf(
  { pkg }: Planned,
  { ecosystem, versions }: PlanAlert,
  { outcome }: ProjectPlan['after'],
): string | null {
  const held = pkg.places.filter(({ version }) => versions.includes(version));
  const holders = held.flatMap(({ source, bundled_in }) => bundled_in?.map((key) => ({ source, key })) ?? []);
  const stands = ({ source, key }: (typeof holders)[number]) => {
    if (outcome === null) return true;
    const [, name = '', version = ''] = key.split(' ');
    return outcome.get(`${source}\n${packageKey({ ecosystem, package_name: name })}`)?.has(version) === true;
  };
  const [, name, version] = holders.find(stands)?.key.split(' ') ?? [];
  return name === undefined || version === undefined ? null : printPurl({ ecosystem, name, version });
}

function withoutTwins(edits: PlannedStep['edits']): PlannedStep['edits'] {
  return [...new Map(edits.map((edit) => [`${edit.file}\n${edit.change}`, edit])).values()];
}
