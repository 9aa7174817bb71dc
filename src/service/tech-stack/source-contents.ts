import { type Selectable, sql } from 'kysely';
import type { UnreadPart } from '../../procedures/unread.js';
import { unreadKey } from '../coverage/unread-keys.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { Completeness, UnmatchedComponentsTable } from '../db/tables/projects.js';
import type { InTransaction } from '../jobs/pages.js';
import { removeRows } from '../landing/remove-rows.js';
import { readInSteps, writeInSteps } from '../landing/write-in-steps.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StatedVulnerability } from './documents/stated-vulnerabilities.js';
import { hasSameFacts } from './stack-changes.js';
import { areThese, weightOfEdges } from './stack-rows.js';
import type { UnmatchedComponent } from './unmatched-component.js';

/** What a source holds besides its packages. */
export interface SourceContents {
  /** Of the project's direct dependencies. */
  readonly directKnown: Completeness;
  readonly unmatched: readonly UnmatchedComponent[];
  readonly vulnerabilities: readonly StatedVulnerability[];
  /** What the source names and could not place. */
  readonly unread: readonly UnreadPart[];
  /** The tool that writes the lock file, as `pnpm@11.21.0`. */
  readonly tool: string | null;
}

/** Replaces what a source holds besides its packages. Answers whether its components have changed. */
export async function replaceSourceContents(
  step: InTransaction,
  project: ProjectKey,
  source: string,
  { unmatched, vulnerabilities }: Pick<SourceContents, 'unmatched' | 'vulnerabilities'>,
  now: Date,
): Promise<boolean> {
  await replaceVulnerabilities(step, project, source, vulnerabilities, now);
  return replaceUnmatched(step, project, source, unmatched, now);
}

/** The same for a source that is there no more: its packages have moved to another one. */
export async function removeSourceContents(step: InTransaction, project: ProjectKey, source: string): Promise<void> {
  const none = { unmatched: [], vulnerabilities: [] };
  await replaceSourceContents(step, project, source, none, new Date());
}

/** What is known of a source as a whole: it is written when all of it is. */
export async function writeSource(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  source: string,
  { directKnown, unread, tool }: Pick<SourceContents, 'directKnown' | 'unread' | 'tool'>,
  now: Date,
): Promise<void> {
  const facts = {
    direct_known: directKnown,
    unread: JSON.stringify(unread),
    unread_keys: unread.map(unreadKey),
    tool,
    updated_at: now,
  };
  await tx
    .insertInto('stack_sources')
    .values({ organisation_id: organisationId, project_id: projectId, source, ...facts })
    .onConflict((row) =>
      row
        .columns(['organisation_id', 'project_id', 'source'])
        .doUpdateSet(facts)
        .where(
          sql<boolean>`(stack_sources.direct_known, stack_sources.unread, stack_sources.unread_keys, stack_sources.tool)
            is distinct from (${directKnown}::text, ${facts.unread}::jsonb, ${facts.unread_keys}::text[], ${tool}::text)`,
        ),
    )
    .execute();
}

/** What a source names and could not place, as it was written last. */
export async function unreadOf(tx: Transaction, project: ProjectKey, source: string): Promise<readonly UnreadPart[]> {
  const row = await tx
    .selectFrom('stack_sources')
    .select('unread')
    .where(inScope(project))
    .where('source', '=', source)
    .executeTakeFirst();
  return row?.unread ?? [];
}

export async function removeSource(tx: Transaction, project: ProjectKey, source: string): Promise<void> {
  await tx.deleteFrom('stack_sources').where(inScope(project)).where('source', '=', source).execute();
}

async function replaceUnmatched(
  step: InTransaction,
  project: ProjectKey,
  source: string,
  wanted: readonly UnmatchedComponent[],
  now: Date,
): Promise<boolean> {
  const { organisationId, projectId } = project;
  const ofSource = sql<boolean>`${inScope(project)} and source = ${source}`;
  const rows = await readInSteps<Selectable<UnmatchedComponentsTable>>(step, (tx, after, limit) =>
    tx
      .selectFrom('unmatched_components')
      .selectAll()
      .where(ofSource)
      .where('key', '>', after?.key ?? '')
      .orderBy('key')
      .limit(limit)
      .execute(),
  );
  const known = new Map(rows.map((row) => [row.key, row]));
  const changed = wanted.filter((each) => !isSame(known.get(each.key), each));
  const kept = new Set(wanted.map(({ key }) => key));
  const changedKeys = new Set(changed.map(({ key }) => key));
  const outdated = rows.flatMap(({ key }) => (kept.has(key) && !changedKeys.has(key) ? [] : [{ key }]));
  await writeInSteps(step, outdated, (tx, batch) =>
    removeRows(tx, 'unmatched_components', sql`${ofSource} and key = any (${batch.map(({ key }) => key)}::text[])`),
  );
  const insert = (tx: Transaction, batch: readonly UnmatchedComponent[]) =>
    sql`
      insert into unmatched_components (organisation_id, project_id, source, updated_at, key, kind, purl, component_group, name,
        version, scope, direct, dependencies, dependencies_known, licences, hashes, supplier)
      select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, given.*
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as given (key text, kind text, purl text, component_group text,
        name text, version text, scope text, direct boolean, dependencies text[], dependencies_known text, licences jsonb,
        hashes jsonb, supplier text)`.execute(tx);
  await writeInSteps(step, changed, insert, weightOfEdges);
  return outdated.length + changed.length > 0;
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

async function replaceVulnerabilities(
  step: InTransaction,
  project: ProjectKey,
  source: string,
  wanted: readonly StatedVulnerability[],
  now: Date,
): Promise<void> {
  const { organisationId, projectId } = project;
  const outdated = await readInSteps<{ readonly id: string }>(step, (tx, after, limit) =>
    tx
      .selectFrom('reported_vulnerabilities')
      .select('id')
      .where(inScope(project))
      .where('source', '=', source)
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  await writeInSteps(step, outdated, (tx, rows) =>
    removeRows(tx, 'reported_vulnerabilities', areThese(organisationId, rows)),
  );
  await writeInSteps(step, wanted, (tx, batch) =>
    sql`
      insert into reported_vulnerabilities (organisation_id, project_id, source, updated_at, id, vulnerability_id, aliases, affects,
        packages, severity, ratings, description, recommendation, analysis_state, analysis_detail)
      select ${organisationId}, ${projectId}, ${source}, ${now}::timestamptz, given.*
      from jsonb_to_recordset(${JSON.stringify(batch.map((each) => ({ ...each, id: newId('rpv') })))}::jsonb) as given (id text,
        vulnerability_id text, aliases text[], affects text[], packages text[], severity text, ratings jsonb, description text,
        recommendation text, analysis_state text, analysis_detail text)`.execute(tx),
  );
}
