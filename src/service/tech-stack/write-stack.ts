import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { InTransaction } from '../jobs/pages.js';
import { removeRows } from '../landing/remove-rows.js';
import { readInSteps, writeInSteps } from '../landing/write-in-steps.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StackChanges, TrackedPackage } from './stack-changes.js';
import type { StackPackage } from './stack-package.js';
import { areThese, weightOfEdges } from './stack-rows.js';

/** The packages of a source: at most as many as one sync may contain. */
export async function loadSource(step: InTransaction, project: ProjectKey, source: string): Promise<TrackedPackage[]> {
  return readInSteps<TrackedPackage>(step, (tx, after, limit) =>
    tx
      .selectFrom('tech_stack_items')
      .select(['id', 'ecosystem', 'name', 'package_name', 'version', 'scope', 'direct', 'deprecated', 'bundled_in'])
      .select(['ranges', 'asked_by'])
      .select(['dependencies', 'dependencies_known', 'licences', 'hashes', 'supplier'])
      .select(['revision', 'added_at', 'updated_at'])
      .where(inScope(project))
      .where('source', '=', source)
      // With this, the unique index has the order of the pages.
      .where('removed_in', '=', 0)
      .where(
        sql<boolean>`(ecosystem, package_name, version)
          > (${after?.ecosystem ?? ''}, ${after?.package_name ?? ''}, ${after?.version ?? ''})`,
      )
      .orderBy('ecosystem')
      .orderBy('package_name')
      .orderBy('version')
      .limit(limit)
      .execute(),
  );
}

/** A row as it is written: those of a package that is there already keep their id and when they were added. */
interface WrittenRow extends StackPackage {
  readonly id: string;
  readonly revision: number;
  readonly added_at: Date;
  readonly updated_at: Date;
}

/** What becomes of the rows of a source. `moved` ones had another source; nothing else of them changes. */
interface WrittenChanges extends Pick<StackChanges, 'added' | 'updated' | 'removed'> {
  readonly moved: readonly TrackedPackage[];
}

/** Writes the changes of one source. What is updated or moved is removed and comes again under its id. */
export async function writeStackChanges(
  step: InTransaction,
  project: ProjectKey,
  source: string,
  { added, updated, moved, removed }: WrittenChanges,
  now: Date,
): Promise<void> {
  const outdated = [...removed, ...updated, ...moved].map(({ id }) => ({ id }));
  await writeInSteps(step, outdated, (tx, rows) =>
    removeRows(tx, 'tech_stack_items', areThese(project.organisationId, rows)),
  );
  const insert = <Row extends StackPackage>(rows: readonly Row[], toRow: (row: Row) => WrittenRow) =>
    writeInSteps(step, rows, (tx, batch) => insertRows(tx, project, source, batch.map(toRow)), weightOfEdges);
  await insert(moved, (row) => row);
  await insert(updated, (row) => ({ ...row, revision: row.revision + 1, updated_at: now }));
  await insert(added, (row) => ({ ...row, id: newId('tsi'), revision: 1, added_at: now, updated_at: now }));
}

async function insertRows(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  source: string,
  rows: readonly WrittenRow[],
): Promise<void> {
  await sql`
    insert into tech_stack_items (organisation_id, project_id, source, id, revision, added_at, updated_at, ecosystem, package_name,
      version, name, scope, direct, deprecated, bundled_in, ranges, asked_by, dependencies, dependencies_known, licences, hashes, supplier)
    select ${organisationId}, ${projectId}, ${source}, given.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, revision integer, added_at timestamptz,
      updated_at timestamptz, ecosystem text, package_name text, version text, name text, scope text, direct boolean,
      deprecated text, bundled_in text[], ranges jsonb, asked_by jsonb, dependencies text[], dependencies_known text, licences jsonb, hashes jsonb, supplier text)`.execute(
    tx,
  );
}
