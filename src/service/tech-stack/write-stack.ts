import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StackChanges, TrackedPackage } from './stack-changes.js';
import type { ManifestFacts, StackPackage } from './stack-package.js';

/** Rows, and dependencies of them, that one statement writes, so that its parameters stay below a few megabytes. */
const rowBatchSize = 5_000;
const edgeBatchSize = 25_000;

/** The packages of a source: at most as many as one sync may contain. */
export async function loadSource(tx: Transaction, project: ProjectKey, source: string): Promise<TrackedPackage[]> {
  return tx
    .selectFrom('tech_stack_items')
    .select(['id', 'ecosystem', 'name', 'package_name', 'version', 'scope', 'direct', 'deprecated'])
    .select(['dependencies', 'dependencies_known', 'licences', 'hashes', 'supplier'])
    .where(inScope(project))
    .where('source', '=', source)
    .execute();
}

/** Writes the changes of one source, removals first. */
export async function writeStackChanges(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  { added, updated, removed }: StackChanges,
  now: Date,
): Promise<void> {
  for (const batch of batches(removed)) await removeRows(tx, project, batch);
  for (const batch of batches(updated)) await updateRows(tx, project, batch, now);
  for (const batch of batches(added)) await addRows(tx, project, source, batch, now);
}

/** The rows in portions that one statement can write. */
export function* batches<Row extends Pick<ManifestFacts, 'dependencies'>>(
  rows: readonly Row[],
): Generator<readonly Row[]> {
  let batch: Row[] = [];
  let edges = 0;
  for (const row of rows) {
    batch.push(row);
    edges += row.dependencies.length;
    if (batch.length < rowBatchSize && edges < edgeBatchSize) continue;
    yield batch;
    batch = [];
    edges = 0;
  }
  if (batch.length > 0) yield batch;
}

async function removeRows(
  tx: Transaction,
  { organisationId }: ProjectKey,
  rows: readonly TrackedPackage[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await tx
    .deleteFrom('tech_stack_items')
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute();
}

/** The columns of a package that do not identify it, as JSON has them. */
const factColumns = sql`name text, scope text, direct boolean, deprecated text, dependencies text[], dependencies_known text,
  licences jsonb, hashes jsonb, supplier text`;

/** Writes all columns that do not identify the package. */
async function updateRows(
  tx: Transaction,
  { organisationId }: ProjectKey,
  rows: readonly TrackedPackage[],
  now: Date,
): Promise<void> {
  await sql`
    update tech_stack_items set name = given.name, scope = given.scope, direct = given.direct,
      deprecated = given.deprecated, dependencies = given.dependencies, dependencies_known = given.dependencies_known,
      licences = given.licences, hashes = given.hashes, supplier = given.supplier, revision = revision + 1, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, ${factColumns})
    where organisation_id = ${organisationId} and tech_stack_items.id = given.id`.execute(tx);
}

async function addRows(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  source: string,
  rows: readonly StackPackage[],
  now: Date,
): Promise<void> {
  const given = rows.map((row) => ({ ...row, id: newId('tsi') }));
  await sql`
    insert into tech_stack_items (organisation_id, project_id, source, added_at, updated_at, id, ecosystem, package_name, version,
      name, scope, direct, deprecated, dependencies, dependencies_known, licences, hashes, supplier)
    select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, ${now}::timestamptz, given.*
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (id text, ecosystem text, package_name text, version text, ${factColumns})`.execute(tx);
}
