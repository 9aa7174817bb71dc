import { type RawBuilder, sql } from 'kysely';
import type { Coverage } from '../../procedures/coverage.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { maxNamedSources, type ReceiptSources, type ReceiptStatement } from '../../procedures/signed-receipt.js';
import { asOf, listFeeds } from '../coverage/feed-coverage.js';
import type { Transaction } from '../db/database.js';
import { isProjectOf, type Scope } from '../db/scope.js';

/** The feeds and sources that are there. */
interface Evidence {
  readonly feeds: ReadonlyArray<ReceiptStatement['feeds'][number] & { readonly covers: readonly string[] }>;
  readonly sources: readonly ReceiptSources[] | null;
}

/** @param scope null for a question about no project */
export async function readEvidence(tx: Transaction, scope: Scope | null): Promise<Evidence> {
  const [feeds, sources] = await Promise.all([listFeeds(tx), scope === null ? null : readSources(tx, scope)]);
  return {
    feeds: feeds.flatMap((feed) => {
      const { name, version, covers, contentHash } = feed;
      return contentHash === null ? [] : [{ name, version, as_of: asOf(feed), sha256: contentHash, covers }];
    }),
    sources,
  };
}

/** Keeps the evidence that stands behind a coverage: the feeds of its ecosystems, and the sources of the domains that it clears. */
export function behind(coverage: Coverage, { feeds, sources }: Evidence): Pick<ReceiptStatement, 'feeds' | 'sources'> {
  const isAsked = (name: string) => coverage.feeds.some(({ ecosystem }) => ecosystem === name);
  const cleared = coverage.domains.filter(({ status }) => status === 'not_affected').map(({ domain }) => domain);
  return {
    feeds: feeds.filter(({ covers }) => covers.some(isAsked)).map(({ covers: _, ...feed }) => feed),
    sources: sources === null ? null : sources.filter(({ domain }) => cleared.includes(domain)),
  };
}

interface SourcesRow {
  readonly domain: Domain;
  readonly count: number;
  readonly sha256: string;
  readonly oldest: readonly { project_id: string; source: string; at: string; digest: string }[];
}

/**
 * The sources of each domain in a scope: the lock files and SBOMs of dependencies, the last scans of code and of running applications,
 * and the images. `sha256` is over a line for each, sorted by bytes and joined by line feeds: project, source, time in UTC and digest,
 * separated by tabs. The digest of a lock file or SBOM is over lines of its packages in the same way: ecosystem, name, version.
 */
async function readSources(tx: Transaction, scope: Scope): Promise<ReceiptSources[]> {
  const organisation = scope.organisationId;
  const { rows } = await sql<SourcesRow>`
    with those as (select id from projects where ${isProjectOf(scope)}),
    source as (
      select 'dependencies' as domain, item.project_id, item.source, max(item.updated_at) as at,
        ${hashOf(sql`concat_ws(E'\\t', item.ecosystem, item.package_name, item.version)`)} as digest
      from tech_stack_items as item
      where item.organisation_id = ${organisation} and item.project_id in (select id from those)
      group by item.project_id, item.source
      union all
      select 'containers', image.project_id, image.ref, image.scanned_at, coalesce(image.digest, '')
      from container_images as image
      where image.organisation_id = ${organisation} and image.project_id in (select id from those)
      union all
      select asked.domain, those.id, last.source, last.at, last.digest from those
      cross join (values ('code'), ('running_app')) as asked (domain)
      cross join (values (true), (false)) as ran (hosted)
      cross join lateral (
        select source, coalesce(finished_at, queued_at) as at, coalesce(encode(content_hash, 'hex'), '') as digest
        from scan_jobs as job
        where job.organisation_id = ${organisation} and job.project_id = those.id and job.domain = asked.domain
          and job.hosted = ran.hosted and status = 'done'
        order by queued_at desc limit 1
      ) as last
    ),
    named as (
      select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
        row_number() over (partition by domain order by at, project_id, source) as place
      from source
    )
    select domain, count(*)::integer as count,
      ${hashOf(sql`concat_ws(E'\\t', project_id, source, time, digest)`)} as sha256,
      coalesce(json_agg(json_build_object('project_id', project_id, 'source', source, 'at', time, 'digest', digest)
        order by place) filter (where place <= ${maxNamedSources}), '[]') as oldest
    from named group by domain`.execute(tx);
  return domains.flatMap((domain) =>
    rows
      .filter((row) => row.domain === domain)
      .map((row) => ({ ...row, oldest: row.oldest.map((each) => ({ ...each, at: new Date(each.at) })) })),
  );
}

/** SHA-256 in hex of lines, sorted by their bytes. */
function hashOf(line: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(string_agg(${line}, E'\\n' order by ${line} collate "C"), 'UTF8')), 'hex')`;
}
