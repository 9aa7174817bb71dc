import { shareIntelligence } from '../alerts/intelligence-lock.js';
import { nextPackages, type PackagePage, type PackagePlace, type PackageScope } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import { type InTransaction, inPages, whenFree } from '../jobs/pages.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import {
  addProjectEvents,
  emitProjectEvents,
  noProjectEvents,
  type ProjectEvents,
} from '../reachability/project-events.js';
import { type AlertCounts, addAlertCounts, noAlertCounts } from './alert-counts.js';
import { changesOf, countsOf, writeChanges } from './assess-packages.js';

/**
 * Work of one page (see `PackagePage`): at first, at most, where a page holds some megabytes, and at least. The queries of a page
 * are planned anew each time, which takes as long as some hundred packages.
 */
export const pageWeights = { first: 1_000, most: 8_000, least: 800 };

/** What became of one page of packages. */
export interface AssessedPage {
  readonly counts: AlertCounts;
  readonly news: ProjectEvents;
  readonly weight: number;
  /** Undefined after the last page. */
  readonly next: PackagePage['next'];
}

const nothing: AssessedPage = { counts: noAlertCounts, news: noProjectEvents, weight: 1, next: undefined };

/**
 * Brings the alerts of a project's next packages, and the verdicts on them, in line with its tech stack and the
 * intelligence. All that opens and resolves alerts goes through here or `alert-plan.ts`, so nobody can forget the
 * verdicts. The caller holds the project's lock, and tells the news. Where nothing has changed, nothing is written.
 */
export async function assessPage(
  tx: Transaction,
  project: ProjectKey,
  now: Date,
  scope: PackageScope,
  after: PackagePlace,
  wantedWeight: number,
): Promise<AssessedPage> {
  await shareIntelligence(tx);
  const { packages, weight, next } = await nextPackages(tx, project, scope, after, wantedWeight);
  const changes = await changesOf(tx, project, packages);
  const news = await writeChanges(tx, project, packages, changes, now);
  return { counts: countsOf(changes), news, weight, next };
}

/**
 * Brings the alerts of a few packages up to date, in the transaction of their change. The project is locked until that ends:
 * two calls at once run one after the other. A project that no longer exists is left alone.
 *
 * @param scope the packages whose stack or intelligence has changed; alerts of other packages are not read
 */
export async function reassessProject(
  tx: Transaction,
  project: ProjectKey,
  now: Date,
  scope: PackageScope = 'all',
): Promise<AlertCounts> {
  if (!(await lockProject(tx, project))) return noAlertCounts;
  let [counts, news] = [noAlertCounts, noProjectEvents];
  const pages = inPages<AssessedPage>(
    (work) => work(tx),
    { first: pageWeights.most },
    (_, before, wantedWeight) => assessPage(tx, project, now, scope, before?.next, wantedWeight),
  );
  for await (const page of pages) {
    counts = addAlertCounts(counts, page.counts);
    news = addProjectEvents(news, page.news);
  }
  await emitProjectEvents(tx, project, news, now);
  return counts;
}

/**
 * The same for many packages, in as many short transactions as it takes: requests run in between. Each leaves the alerts of
 * its packages as they should be. What the webhooks are told is kept with the project and told at the end.
 */
export async function reassessInSteps(
  step: InTransaction,
  project: ProjectKey,
  now: Date,
  scope: PackageScope,
  pace = new Pace(pageWeights),
): Promise<AlertCounts> {
  let counts = noAlertCounts;
  const pages = inPages<AssessedPage>(whenFree(step), pace, async (tx, before, wantedWeight) => {
    if (!(await lockProject(tx, project))) return nothing;
    const page = await assessPage(tx, project, now, scope, before?.next, wantedWeight);
    await emitProjectEvents(tx, project, page.news, now, page.next !== undefined);
    return page;
  });
  for await (const page of pages) counts = addAlertCounts(counts, page.counts);
  return counts;
}
