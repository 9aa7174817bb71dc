import { type AlertChanges, alertChanges } from '../alerts/alert-changes.js';
import { addToAlertSummary, noAlertSummary } from '../alerts/alert-events.js';
import { alertFacts, cvesOf } from '../alerts/alert-facts.js';
import { findMatches, type TrackedVersions } from '../alerts/find-matches.js';
import { loadAdvisories, loadExploitation } from '../alerts/load-intelligence.js';
import { type ResolvedAlert, resolutionsOf } from '../alerts/resolution.js';
import type { PackageKey, TrackedPackage } from '../alerts/tracked-packages.js';
import { loadAlerts, writeAlertChanges } from '../alerts/write-alerts.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { ProjectEvents } from '../reachability/project-events.js';
import { recomputeVerdictsOf } from '../reachability/recompute.js';
import { listSoon } from '../registries/due-projects.js';
import type { AlertCounts } from './alert-counts.js';

/** What has to change in some packages' alerts, and why resolved ones are resolved. */
export type PackageChanges = Omit<AlertChanges, 'gone'> & { readonly resolved: readonly ResolvedAlert[] };

/** The caller has asked `shareIntelligence`. */
export async function changesOf(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly TrackedPackage[],
): Promise<PackageChanges> {
  const known = packages.length === 0 ? [] : await loadAlerts(tx, project, packages);
  const advisories = await loadAdvisories(tx, packages);
  const tracked = packages.map((each, place): TrackedVersions => ({ ...each, advisories: advisories[place] ?? [] }));
  const matches = tracked.flatMap(findMatches);
  const exploitation = await loadExploitation(tx, [...new Set(matches.flatMap(cvesOf))]);
  const wanted = matches.map((match) => alertFacts(match, exploitation));
  const { gone, ...changes } = alertChanges(known, wanted);
  return { ...changes, resolved: await resolutionsOf(tx, gone, tracked) };
}

export function countsOf({ opened, reopened, resolved, updated }: PackageChanges): AlertCounts {
  return {
    opened: opened.length,
    reopened: reopened.length,
    resolved: resolved.length,
    updated: updated.length,
  };
}

/** Writes the changes, then the verdicts of all alerts on these packages. Returns what there is to tell. */
export async function writeChanges(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly PackageKey[],
  changes: PackageChanges,
  now: Date,
): Promise<ProjectEvents> {
  const opened = await writeAlertChanges(tx, project, changes, now);
  if (opened.length + changes.reopened.length > 0) await listSoon(tx, project);
  const alerts = addToAlertSummary(noAlertSummary, { ...changes, opened });
  return { alerts, raised: await recomputeVerdictsOf(tx, project, now, packages) };
}
