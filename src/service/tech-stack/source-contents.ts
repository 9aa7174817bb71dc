import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { Completeness } from '../db/tables/projects.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StatedVulnerability } from './documents/stated-vulnerabilities.js';
import { hasSameFacts } from './stack-changes.js';
import type { UnmatchedComponent } from './unmatched-component.js';
import { batches } from './write-stack.js';

/** What a source holds besides its packages. */
export interface SourceContents {
  /** Of the project's direct dependencies. */
  readonly directKnown: Completeness;
  readonly unmatched: readonly UnmatchedComponent[];
  readonly vulnerabilities: readonly StatedVulnerability[];
}

/** Replaces what a source holds besides its packages. Answers whether its components have changed. */
export async function replaceSourceContents(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  { directKnown, unmatched, vulnerabilities }: SourceContents,
  now: Date,
): Promise<boolean> {
  await writeDirectKnown(tx, project, source, directKnown, now);
  await replaceVulnerabilities(tx, project, source, vulnerabilities, now);
  return replaceUnmatched(tx, project, source, unmatched, now);
}

async function writeDirectKnown(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  source: string,
  directKnown: Completeness,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('stack_sources')
    .values({
      organisation_id: organisationId,
      project_id: projectId,
      source,
      direct_known: directKnown,
      updated_at: now,
    })
    .onConflict((row) =>
      row
        .columns(['organisation_id', 'project_id', 'source'])
        .doUpdateSet({ direct_known: directKnown, updated_at: now })
        .where('stack_sources.direct_known', 'is distinct from', directKnown),
    )
    .execute();
}

async function replaceUnmatched(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  wanted: readonly UnmatchedComponent[],
  now: Date,
): Promise<boolean> {
  const { organisationId, projectId } = project;
  const rows = await tx
    .selectFrom('unmatched_components')
    .selectAll()
    .where(inScope(project))
    .where('source', '=', source)
    .execute();
  const known = new Map(rows.map((row) => [row.key, row]));
  const changed = wanted.filter((each) => !isSame(known.get(each.key), each));
  const kept = new Set(wanted.map(({ key }) => key));
  const outdated = [...rows.map(({ key }) => key).filter((key) => !kept.has(key)), ...changed.map(({ key }) => key)];
  if (outdated.length === 0) return false;
  await tx
    .deleteFrom('unmatched_components')
    .where(inScope(project))
    .where('source', '=', source)
    .where(sql<boolean>`key = any (${outdated}::text[])`)
    .execute();
  for (const batch of batches(changed)) {
    await sql`
      insert into unmatched_components (organisation_id, project_id, source, updated_at, key, kind, purl, component_group, name,
        version, scope, direct, dependencies, dependencies_known, licences, hashes, supplier)
      select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, given.*
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as given (key text, kind text, purl text, component_group text,
        name text, version text, scope text, direct boolean, dependencies text[], dependencies_known text, licences jsonb,
        hashes jsonb, supplier text)`.execute(tx);
  }
  return true;
}

function isSame(a: UnmatchedComponent | undefined, b: UnmatchedComponent): boolean {
  const fields = (of: UnmatchedComponent) => [
    of.kind,
    of.purl,
    of.component_group,
    of.name,
    of.version,
    of.scope,
    of.direct,
  ];
  return a !== undefined && hasSameFacts(a, b) && JSON.stringify(fields(a)) === JSON.stringify(fields(b));
}

/** Rows of one statement. Each has at most some kilobytes of text. */
const vulnerabilityBatchSize = 500;

async function replaceVulnerabilities(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  wanted: readonly StatedVulnerability[],
  now: Date,
): Promise<void> {
  const { organisationId, projectId } = project;
  await tx.deleteFrom('reported_vulnerabilities').where(inScope(project)).where('source', '=', source).execute();
  for (let start = 0; start < wanted.length; start += vulnerabilityBatchSize) {
    const batch = wanted.slice(start, start + vulnerabilityBatchSize).map((each) => ({ ...each, id: newId('rpv') }));
    await sql`
      insert into reported_vulnerabilities (organisation_id, project_id, source, updated_at, id, vulnerability_id, aliases, affects,
        packages, severity, ratings, description, recommendation, analysis_state, analysis_detail)
      select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, given.*
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as given (id text, vulnerability_id text, aliases text[],
        affects text[], packages text[], severity text, ratings jsonb, description text, recommendation text,
        analysis_state text, analysis_detail text)`.execute(tx);
  }
}
