import { sql } from 'kysely';
import { severities } from '../../shared/vulnerability-terms.js';
import type { Transaction } from '../db/database.js';
import { readPages } from '../jobs/pages.js';
import type { Landing } from '../landing/landing.js';
import type { ProjectKey } from '../projects/find-project.js';
import { confirmedBy, lastReports } from './last-reports.js';
import { type Level, rankedSeverities } from './level.js';
import type { Scan } from './scan.js';
import type { KnownFinding } from './scan-changes.js';
import { toolsOf } from './scan-job.js';

/**
 * The findings of a scan's source by its tools, including fixed ones, in short steps. Tools that see the same findings share
 * theirs. No other landing is under way, so those are there that nobody has removed: the index has only these.
 */
export async function loadKnownFindings(
  step: Landing<never>['step'],
  project: ProjectKey,
  scan: Scan,
): Promise<KnownFinding[]> {
  const { organisationId, projectId } = project;
  const { domain, source, join } = scan;
  const last = (await step((tx) => lastReports(tx, project, domain, [source]))).get(source);
  const read = (tx: Transaction, end: KnownFinding | undefined, limit: number): Promise<KnownFinding[]> =>
    tx
      .selectFrom('findings')
      .select(['id', 'tool', 'identity', 'state', 'modes', 'part', 'sightings', 'facts_hash', 'last_seen_at'])
      .$if(scan.filters !== undefined && scan.filters.length > 0, (query) => query.select(['rule_id', levelFor(scan)]))
      .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, source }))
      .where(sql<boolean>`removed_in = 0`)
      .$if(join === undefined, (query) => query.where(sql<boolean>`tool = any (${toolsOf(scan)}::text[])`))
      .$if(end !== undefined, (query) =>
        query.where(sql<boolean>`(tool, identity) > (${end?.tool ?? ''}, ${end?.identity ?? Buffer.alloc(0)})`),
      )
      .orderBy('tool')
      .orderBy('identity')
      .limit(limit)
      .execute();
  const known: KnownFinding[] = [];
  for await (const page of readPages(step, { first: 1_000, least: 1_000, most: 10_000 }, read)) {
    for (const row of page) known.push(confirmedBy(row, last));
  }
  return known;
}

/** As `levelOf` and `levelOfSeverity` give it: of an image's finding from what the tool itself says, where several see it. */
function levelFor({ domain, searched }: Scan) {
  if (domain !== 'containers') {
    return sql<Level>`jsonb_build_object('fixable', true,
      'rank', coalesce(array_position(${[...rankedSeverities]}::text[], severity), 0))`.as('level');
  }
  const details = sql`coalesce(reports #> array[${searched[0]?.tool ?? ''}::text, 'details'], details)`;
  return sql<Level>`jsonb_build_object(
    'rank', coalesce(array_position(${[...severities]}::text[], ${details} ->> 'label'), 0),
    'fixable', ${details} ->> 'fixed_version' is not null, 'package', ${details} -> 'package')`.as('level');
}
