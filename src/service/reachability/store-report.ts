import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod';
import { type UsageReport, usageReport } from '../../procedures/usage-report.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import { inPages } from '../jobs/pages.js';
import type { Landing } from '../landing/landing.js';
import { removeRows } from '../landing/remove-rows.js';
import { writeInSteps } from '../landing/write-in-steps.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { UsageDependency } from './usage-report-rows.js';

/** A report as it is stored. */
export interface PreparedReport extends Pick<UsageReport, 'generated_at' | 'complete'> {
  /** JSON. */
  readonly text: string;
  readonly contentHash: Buffer;
  readonly analyser: string;
  readonly dependencies: readonly UsageDependency[];
}

/** What takes long of a large report, before a transaction is open. */
export function prepareReport(report: UsageReport, dependencies: readonly UsageDependency[]): PreparedReport {
  const text = JSON.stringify(z.encode(usageReport, report));
  const contentHash = createHash('sha256').update(text).digest();
  const { generated_at, complete, tool } = report;
  return { generated_at, complete, text, contentHash, analyser: `${tool.name} ${tool.version}`, dependencies };
}

/** The newest report of the project, where it has the same content. */
export async function findSameReport(
  tx: Transaction,
  key: ProjectKey,
  { contentHash }: Pick<PreparedReport, 'contentHash'>,
): Promise<string | undefined> {
  const newest = await tx
    .selectFrom('usage_reports')
    .select(['id', 'content_hash'])
    .where(inScope(key))
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.content_hash.equals(contentHash) === true ? newest.id : undefined;
}

/** Stores a report as the project's newest. */
export async function storeReport(
  tx: Transaction,
  key: ProjectKey,
  { text, contentHash, analyser, generated_at, complete }: PreparedReport,
  uploadedBy: string,
  now: Date,
): Promise<string> {
  const id = newId('rep');
  await tx
    .insertInto('usage_reports')
    .values({
      organisation_id: key.organisationId,
      id,
      project_id: key.projectId,
      content_hash: contentHash,
      analyser,
      generated_at,
      complete,
      report: text,
      uploaded_by: uploadedBy,
      received_at: now,
    })
    .execute();
  return id;
}

/** Replaces the dependencies of the report before, in short steps of a landing. */
export async function replaceDependencies(
  step: Landing<never>['step'],
  key: ProjectKey,
  dependencies: readonly UsageDependency[],
): Promise<void> {
  await removeDependencies(step, key);
  await writeInSteps(step, dependencies, (tx, batch) => insertDependencies(tx, key, batch));
}

/** A package with its version, of which a report names each once. */
interface Place {
  readonly ecosystem: string;
  readonly package_name: string;
  readonly version: string;
}

async function removeDependencies(step: Landing<never>['step'], key: ProjectKey): Promise<void> {
  const remove = (tx: Transaction, before: RemovedPage | undefined, rows: number) =>
    removeNext(tx, key, before?.next ?? { ecosystem: '', package_name: '', version: '' }, rows);
  for await (const _ of inPages(step, { first: 200, most: 2_000 }, remove));
}

interface RemovedPage {
  /** The last one that was removed; undefined where no others are left. */
  readonly next: Place | undefined;
}

async function removeNext(tx: Transaction, key: ProjectKey, after: Place, limit: number): Promise<RemovedPage> {
  const place = sql`ecosystem, package_name, version`;
  const isNext = sql`${inScope(key)} and (${place}) > (${after.ecosystem}, ${after.package_name}, ${after.version})`;
  const { rows } = await sql<Place>`
    select ${place} from usage_dependencies where ${isNext} order by ${place} offset ${limit - 1} limit 1`.execute(tx);
  const [end] = rows;
  const isThese = end && sql`${isNext} and (${place}) <= (${end.ecosystem}, ${end.package_name}, ${end.version})`;
  await removeRows(tx, 'usage_dependencies', isThese ?? isNext);
  return { next: end };
}

async function insertDependencies(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  dependencies: readonly UsageDependency[],
): Promise<void> {
  await sql`
    insert into usage_dependencies (organisation_id, project_id,
      ecosystem, package_name, version, usage, scope, symbols, symbols_complete, subpaths, confidence, gaps, chain,
      sites, production_sites, all_sites, paths)
    select ${organisationId}, ${projectId},
      ecosystem, package_name, version, usage, scope, symbols, symbols_complete, subpaths, confidence, gaps, chain,
      sites, production_sites, all_sites, paths
    from jsonb_to_recordset(${JSON.stringify(dependencies)}::jsonb) as given (ecosystem text, package_name text,
      version text, usage text, scope text, symbols text[], symbols_complete boolean, subpaths text[], confidence text,
      gaps text[], chain jsonb, sites jsonb, production_sites integer, all_sites integer, paths jsonb)`.execute(tx);
}
