import { sql } from 'kysely';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Transaction } from '../db/database.js';
import type { Landing } from '../landing/landing.js';
import type { FindingRow } from './finding-row.js';
import type { JointFacts, Scan } from './scan.js';
import type { ChangedFinding } from './scan-changes.js';

/** Findings whose facts are read at once. */
const batchSize = 250;

type StoredRow = Pick<FindingRow, 'id' | 'rule_id' | 'title' | 'details' | 'reports' | 'sightings'>;

/** The facts of findings that several tools see or saw, by id. */
export async function jointFacts(
  step: Landing<never>['step'],
  organisationId: string,
  { join }: Pick<Scan, 'join'>,
  changed: readonly ChangedFinding[],
): Promise<ReadonlyMap<string, JointFacts>> {
  const joint = changed.filter(({ jointOf }) => jointOf.length > 0);
  const facts = new Map<string, JointFacts>();
  if (join === undefined) return facts;
  const yieldNow = yieldToEventLoop();
  for (let start = 0; start < joint.length; start += batchSize) {
    await yieldNow();
    const batch = joint.slice(start, start + batchSize);
    const joined = await step(async (tx) => {
      const rows = await readRows(
        tx,
        organisationId,
        batch.flatMap(({ id, duplicates }) => [id, ...duplicates]),
      );
      const joints = batch.map(({ id, duplicates, finding, jointOf }) => ({
        stored: [id, ...duplicates].flatMap((each) => rows.get(each) ?? []),
        fresh: finding,
        tools: jointOf,
      }));
      return join(tx, joints);
    });
    for (const [at, { id }] of batch.entries()) {
      const each = joined[at];
      if (each !== undefined) facts.set(id, each);
    }
  }
  return facts;
}

async function readRows(tx: Transaction, organisationId: string, ids: readonly string[]) {
  const rows: StoredRow[] = await tx
    .selectFrom('findings')
    .select(['id', 'rule_id', 'title', 'details', 'reports', 'sightings'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
