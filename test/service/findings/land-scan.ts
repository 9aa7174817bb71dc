import type { Database, Transaction } from '../../../src/service/db/database.js';
import { applyScan, finishScans } from '../../../src/service/findings/apply-scan.js';
import type { Scan } from '../../../src/service/findings/scan.js';
import { ChangeSetLanding } from '../../../src/service/landing/landing.js';
import type { ProjectKey } from '../../../src/service/projects/find-project.js';

/** Writes a scan as an upload does: in many transactions, of which the last one shows it. */
export async function landScan(database: Database, project: ProjectKey, scan: Scan, now: Date) {
  const landing = new ChangeSetLanding<void>(database, project);
  try {
    const applied = await applyScan((work) => landing.step(work), project, scan, now);
    await landing.finish((tx) => finishScans(tx, project, [applied], now));
    return applied.result;
  } finally {
    await landing.close();
  }
}

/** Writes a scan in one transaction. */
export async function scanWithin(tx: Transaction, project: ProjectKey, scan: Scan, now: Date) {
  const applied = await applyScan((work) => work(tx), project, scan, now);
  await finishScans(tx, project, [applied], now);
  return applied.result;
}
