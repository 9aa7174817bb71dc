import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod';
import { type UsageReport, usageReport } from '../../procedures/usage-report.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { UsageDependency } from './usage-report-rows.js';

/** Rows that one statement writes. */
const rowBatchSize = 2_000;

export interface StoredReport {
  readonly id: string;
  /** The newest report has the same content: nothing was written. */
  readonly duplicate: boolean;
}

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

/** Stores a report as the project's newest. Its dependencies replace those of the report before. */
export async function storeReport(
  tx: Transaction,
  key: ProjectKey,
  report: PreparedReport,
  uploadedBy: string,
  now: Date,
): Promise<StoredReport> {
  const { text, contentHash, analyser, generated_at, complete, dependencies } = report;
  const newest = await tx
    .selectFrom('usage_reports')
    .select(['id', 'content_hash'])
    .where(inScope(key))
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.content_hash.equals(contentHash) === true) return { id: newest.id, duplicate: true };
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
  await replaceDependencies(tx, key, dependencies);
  return { id, duplicate: false };
}

async function replaceDependencies(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  dependencies: readonly UsageDependency[],
): Promise<void> {
  await tx.deleteFrom('usage_dependencies').where(inScope({ organisationId, projectId })).execute();
  for (let start = 0; start < dependencies.length; start += rowBatchSize) {
    const rows = JSON.stringify(dependencies.slice(start, start + rowBatchSize));
    await sql`
      insert into usage_dependencies (organisation_id, project_id,
        ecosystem, package_name, version, usage, scope, symbols, symbols_complete, subpaths, confidence, gaps, chain,
        sites, production_sites, all_sites, paths)
      select ${organisationId}, ${projectId},
        ecosystem, package_name, version, usage, scope, symbols, symbols_complete, subpaths, confidence, gaps, chain,
        sites, production_sites, all_sites, paths
      from jsonb_to_recordset(${rows}::jsonb) as given (ecosystem text, package_name text, version text, usage text,
        scope text, symbols text[], symbols_complete boolean, subpaths text[], confidence text, gaps text[], chain jsonb,
        sites jsonb, production_sites integer, all_sites integer, paths jsonb)`.execute(tx);
  }
}
