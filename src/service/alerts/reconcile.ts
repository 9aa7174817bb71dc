import type { Transaction } from '../db/database.js';
import { emitEvents } from '../events/outbox.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { recomputeVerdicts } from '../reachability/recompute.js';
import { type AlertChanges, alertChanges } from './alert-changes.js';
import { addToAlertSummary, alertEvents, noAlertSummary } from './alert-events.js';
import { alertFacts, cvesOf } from './alert-facts.js';
import { findMatches } from './find-matches.js';
import { loadAdvisories, loadExploitation } from './load-intelligence.js';
import { type PackageKey, type PackageScope, trackedPackages } from './tracked-packages.js';
import { loadAlerts, resolveUnmatched, writeAlertChanges } from './write-alerts.js';

/** How many alerts changed, and how. `updated` ones stayed open, with other facts than before. */
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
 * Makes a project's alerts what its tech stack and the intelligence say: opens, reopens, updates and resolves; then the
 * verdicts on them, and notifications of what is new. Where nothing has changed nothing is written. The project is locked until the transaction ends, so two at once do the work one after
 * the other. A project that is gone has nothing to reconcile.
 *
 * `scope` names the packages whose stack or intelligence has changed; alerts of others are not looked at.
 */
export async function reconcileAlerts(
  tx: Transaction,
  project: ProjectKey,
  now: Date,
  scope: PackageScope = 'all',
): Promise<AlertCounts> {
  if ((scope !== 'all' && scope.length === 0) || !(await lockProject(tx, project))) return noAlertCounts;
  let counts: AlertCounts = { ...noAlertCounts, resolved: await resolveUnmatched(tx, project, now, scope) };
  let news = noAlertSummary;
  for await (const packages of trackedPackages(tx, project, scope)) {
    const changes = await changesOf(tx, project, packages);
    const opened = await writeAlertChanges(tx, project, changes, now);
    news = addToAlertSummary(news, { ...changes, opened });
    counts = addAlertCounts(counts, {
      opened: changes.opened.length,
      reopened: changes.reopened.length,
      resolved: changes.resolved.length,
      updated: changes.updated.length,
    });
  }
  await emitEvents(tx, project, alertEvents(news), now);
  await recomputeVerdicts(tx, project, now, scope);
  return counts;
}

/** The packages' alerts as they should be, against what they are. */
async function changesOf(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly (PackageKey & { readonly versions: readonly string[] })[],
): Promise<AlertChanges> {
  const advisories = await loadAdvisories(tx, packages);
  const matches = packages.flatMap((each, place) => findMatches({ ...each, advisories: advisories[place] ?? [] }));
  const exploitation = await loadExploitation(tx, [...new Set(matches.flatMap(cvesOf))]);
  const wanted = matches.map((match) => alertFacts(match, exploitation));
  return alertChanges(await loadAlerts(tx, project, packages), wanted);
}
