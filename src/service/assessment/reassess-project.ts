import { alertChanges } from '../alerts/alert-changes.js';
import { addToAlertSummary, alertEvents, noAlertSummary } from '../alerts/alert-events.js';
import { alertFacts, cvesOf } from '../alerts/alert-facts.js';
import { findMatches, type TrackedVersions } from '../alerts/find-matches.js';
import { loadAdvisories, loadExploitation } from '../alerts/load-intelligence.js';
import { resolutionsOf } from '../alerts/resolution.js';
import { type PackageScope, type TrackedPackage, trackedPackages } from '../alerts/tracked-packages.js';
import { loadAlerts, resolveUnmatched, writeAlertChanges } from '../alerts/write-alerts.js';
import type { Transaction } from '../db/database.js';
import { emitEventsFor } from '../events/outbox.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { recomputeVerdicts, recomputeVerdictsOf } from '../reachability/recompute.js';

/** How many alerts changed, and how. `updated` alerts stayed open with other facts than before. */
export interface AlertCounts {
  readonly opened: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly updated: number;
}

export const noAlertCounts: AlertCounts = { opened: 0, reopened: 0, resolved: 0, updated: 0 };

export function addAlertCounts(a: AlertCounts, b: AlertCounts): AlertCounts {
  return {
    opened: a.opened + b.opened,
    reopened: a.reopened + b.reopened,
    resolved: a.resolved + b.resolved,
    updated: a.updated + b.updated,
  };
}

/**
 * Brings a project's alerts in line with its tech stack and the intelligence: opens, reopens, updates and resolves
 * them. Then recomputes their verdicts and queues notifications of what is new, all in the same transaction. This is
 * the only function that opens and resolves alerts, so no caller can forget the verdicts.
 *
 * Where nothing has changed, nothing is written. The project is locked until the transaction ends: two calls at once
 * run one after the other. A project that no longer exists is left alone.
 *
 * @param scope the packages whose stack or intelligence has changed; alerts of other packages are not read
 */
export async function reassessProject(
  tx: Transaction,
  project: ProjectKey,
  now: Date,
  scope: PackageScope = 'all',
): Promise<AlertCounts> {
  if ((scope !== 'all' && scope.length === 0) || !(await lockProject(tx, project))) return noAlertCounts;
  let counts: AlertCounts = { ...noAlertCounts, resolved: await resolveUnmatched(tx, project, now, scope) };
  let summary = noAlertSummary;
  for await (const packages of trackedPackages(tx, project, scope)) {
    const changes = await changesOf(tx, project, packages);
    const opened = await writeAlertChanges(tx, project, changes, now);
    summary = addToAlertSummary(summary, { ...changes, opened });
    counts = addAlertCounts(counts, {
      opened: changes.opened.length,
      reopened: changes.reopened.length,
      resolved: changes.resolved.length,
      updated: changes.updated.length,
    });
  }
  await emitEventsFor(tx, project, (wanted) => alertEvents(summary, wanted), now);
  await (scope === 'all' ? recomputeVerdicts(tx, project, now) : recomputeVerdictsOf(tx, project, now, scope));
  return counts;
}

/** What has to change in the packages' alerts, and why resolved ones are resolved. */
async function changesOf(tx: Transaction, project: ProjectKey, packages: readonly TrackedPackage[]) {
  const advisories = await loadAdvisories(tx, packages);
  const tracked = packages.map((each, place): TrackedVersions => ({ ...each, advisories: advisories[place] ?? [] }));
  const matches = tracked.flatMap(findMatches);
  const exploitation = await loadExploitation(tx, [...new Set(matches.flatMap(cvesOf))]);
  const wanted = matches.map((match) => alertFacts(match, exploitation));
  const { gone, ...changes } = alertChanges(await loadAlerts(tx, project, packages), wanted);
  return { ...changes, resolved: await resolutionsOf(tx, gone, tracked) };
}
