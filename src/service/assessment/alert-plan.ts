import { type AlertFacts, exploited } from '../alerts/alert-facts.js';
import { shareIntelligence } from '../alerts/intelligence-lock.js';
import { loadExploitation } from '../alerts/load-intelligence.js';
import { nextPackages, type PackageKey, type PackagePage } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type InTransaction, inPages } from '../jobs/pages.js';
import type { ProjectKey } from '../projects/find-project.js';
import { emitProjectEvents, noProjectEvents } from '../reachability/project-events.js';
import { type AlertCounts, addAlertCounts, noAlertCounts } from './alert-counts.js';
import { changesOf, countsOf, type PackageChanges, writeChanges } from './assess-packages.js';
import { pageWeights } from './reassess-project.js';

/** So many changed alerts are written with the stack: some 50 ms. More follow it in transactions of their own. */
const maxAtOnce = 100;

/** What a new stack will change in the project's alerts. */
export interface AlertPlan {
  readonly counts: AlertCounts;
  /** Packages whose alerts change, with the changes; null where they are too many for one transaction. */
  readonly changes: readonly (PackageChanges & { readonly packages: readonly PackageKey[] })[] | null;
}

interface PlannedPage extends PackagePage {
  readonly changed: PackageChanges;
}

/**
 * Compares a stack that is being landed with the advisories, in short transactions that write nothing.
 *
 * @param onOpened gets the alerts that will be opened, page by page
 */
export async function planAlerts(
  step: InTransaction,
  project: ProjectKey,
  onOpened: (opened: readonly AlertFacts[]) => void,
): Promise<AlertPlan> {
  let counts = noAlertCounts;
  let changes: (PackageChanges & { readonly packages: readonly PackageKey[] })[] | null = [];
  const pages = inPages<PlannedPage>(step, pageWeights, async (tx, before, wantedWeight) => {
    await shareIntelligence(tx);
    const page = await nextPackages(tx, project, 'all', before?.next, wantedWeight);
    return { ...page, changed: await changesOf(tx, project, page.packages) };
  });
  for await (const { changed } of pages) {
    counts = addAlertCounts(counts, countsOf(changed));
    onOpened(changed.opened);
    if (sumOf(counts) > maxAtOnce) changes = null;
    else if (sumOf(countsOf(changed)) > 0) changes?.push({ ...changed, packages: packagesOf(changed) });
  }
  return { counts, changes };
}

function sumOf({ opened, reopened, resolved, updated }: AlertCounts): number {
  return opened + reopened + resolved + updated;
}

/** Those with an alert that is open afterwards: resolved ones have no verdict. */
function packagesOf({ opened, reopened, updated }: PackageChanges): PackageKey[] {
  return [...opened, ...reopened, ...updated].map(({ ecosystem, package_name }) => ({ ecosystem, package_name }));
}

/**
 * Changes the alerts as planned, in the transaction that lands the stack. Where they are too many, that begins an assessment,
 * which `finishAssessment` or `continueAssessments` carries out; until its end the coverage says that it is under way.
 */
export async function carryOut(tx: Transaction, project: ProjectKey, plan: AlertPlan, now: Date): Promise<void> {
  if (plan.changes === null) {
    const { organisationId, projectId } = project;
    await tx.updateTable('projects').set({ alerts_due_after: '' }).where(byId(organisationId, projectId)).execute();
    return;
  }
  await shareIntelligence(tx);
  for (const { packages, ...planned } of plan.changes) {
    const changes = await withExploitation(tx, planned);
    await emitProjectEvents(tx, project, await writeChanges(tx, project, packages, changes, now), now, true);
  }
  if (plan.changes.length > 0) await emitProjectEvents(tx, project, noProjectEvents, now);
}

/**
 * The changes, with the EPSS and KEV of now in alerts that nobody has seen yet. A load that came after the plan found no open
 * alert to change. All else that it brings is assessed when the stack has landed, since its project tracks the package.
 */
async function withExploitation(tx: Transaction, changes: PackageChanges): Promise<PackageChanges> {
  const { opened, reopened } = changes;
  const exploitation = await loadExploitation(tx, [...new Set([...opened, ...reopened].flatMap(({ cves }) => cves))]);
  const update = <Facts extends AlertFacts>(facts: Facts): Facts => ({ ...facts, ...exploited(facts, exploitation) });
  return { ...changes, opened: opened.map(update), reopened: reopened.map(update) };
}
