import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StackChanges, TrackedPackage } from './stack-changes.js';
import type { StackPackage } from './stack-package.js';

/** Rows that one statement writes, so that its parameters stay below two megabytes. */
const rowBatchSize = 5_000;

/** The packages of a source: at most as many as one sync may contain. */
export async function loadSource(tx: Transaction, project: ProjectKey, source: string): Promise<TrackedPackage[]> {
  return tx
    .selectFrom('tech_stack_items')
    .select(['id', 'ecosystem', 'name', 'package_name', 'version', 'scope', 'direct', 'deprecated'])
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

function* batches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowBatchSize) yield rows.slice(start, start + rowBatchSize);
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

/** Writes all columns that do not identify the package. */
async function updateRows(
  tx: Transaction,
  { organisationId }: ProjectKey,
  rows: readonly TrackedPackage[],
  now: Date,
): Promise<void> {
  await sql`
    update tech_stack_items set name = given.name, scope = given.scope, direct = given.direct,
      deprecated = given.deprecated, revision = revision + 1, updated_at = ${now}
    from unnest(
      ${rows.map(({ id }) => id)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ direct }) => direct)}::boolean[],
      ${rows.map(({ deprecated }) => deprecated)}::text[]
    ) as given (id, name, scope, direct, deprecated)
    where organisation_id = ${organisationId} and tech_stack_items.id = given.id`.execute(tx);
}

async function addRows(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  source: string,
  rows: readonly StackPackage[],
  now: Date,
): Promise<void> {
  await sql`
    insert into tech_stack_items (organisation_id, project_id, source, added_at, updated_at,
      id, ecosystem, name, package_name, version, scope, direct, deprecated)
    select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, ${now}::timestamptz, given.*
    from unnest(
      ${rows.map(() => newId('tsi'))}::text[], ${rows.map(({ ecosystem }) => ecosystem)}::text[],
      ${rows.map(({ name }) => name)}::text[], ${rows.map((row) => row.package_name)}::text[],
      ${rows.map(({ version }) => version)}::text[], ${rows.map(({ scope }) => scope)}::text[],
      ${rows.map(({ direct }) => direct)}::boolean[], ${rows.map(({ deprecated }) => deprecated)}::text[]
    ) as given`.execute(tx);
}
