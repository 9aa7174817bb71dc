import { type RawBuilder, sql } from 'kysely';
import { type UnreadPart, type UnreadReason, unreadWords } from '../../procedures/unread.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import { inScope, ofLivingProject, type Scope } from '../db/scope.js';
import { keysOfPackage, weakKeyPrefix } from './unread-keys.js';

/** Sources that one answer names. */
const maxNamed = 5;

/** Ecosystems in which a build has one version of a package, so that a source that lists it knows it. */
const flat: readonly Ecosystem[] = ['PyPI', 'Maven', 'RubyGems', 'Packagist', 'NuGet', 'Go'];

/** Reasons of parts without a name that such a source still excludes: what it lists cannot be there a second time. */
const besideTheListed = ['direct_only', 'git', 'url', 'path'] as const satisfies readonly UnreadReason[];

interface Named {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
}

interface Found {
  readonly project: string;
  readonly source: string;
  readonly part: UnreadPart;
  readonly sources: number;
}

/** Whether an advisory about a flaw names a package. Malware under a name of the project's own is not what the project has. */
function isNamedByAdvisory(isPackage: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (
    select from advisory_packages as named join advisories as advisory on advisory.id = named.advisory_id
    where ${isPackage} and advisory.withdrawn is null and not advisory.malicious
      and (advisory.informational is null or advisory.informational = 'unsound')
  )`;
}

/**
 * What the sources of the scope name and could not place, and what could be one of these packages: a "no" about them is not known. One
 * text for each source, naming its first such part.
 */
export async function unreadGapsOfPackages(
  tx: Transaction,
  scope: Scope,
  packages: readonly Named[],
): Promise<string[]> {
  const asked = packages.flatMap(({ ecosystem, package_name }) =>
    keysOfPackage(ecosystem, package_name).map((key) => ({ ecosystem, package_name, key })),
  );
  const keys = [...new Set(asked.map(({ key }) => key))];
  const { rows } = await sql<Found>`
    with question as (
      select * from unnest(${asked.map(({ ecosystem }) => ecosystem)}::text[], ${asked.map(({ package_name }) => package_name)}::text[],
        ${asked.map(({ key }) => key)}::text[]) as question (ecosystem, package_name, key)
    ), found as (
      select distinct on (source.project_id, source.source) source.project_id, source.source, source.unread -> (part.place - 1)::integer as part
      from stack_sources as source
      cross join lateral unnest(source.unread_keys) with ordinality as part (key, place)
      join question on question.key = part.key
      where ${inScope(scope, 'source')} and source.unread_keys <> '{}' and source.unread_keys && ${keys}::text[]
        and ${ofLivingProject(scope)}
        and (not starts_with(part.key, ${weakKeyPrefix}) or ${isNamedByAdvisory(sql`
          named.ecosystem = question.ecosystem and named.package_name = question.package_name`)})
        and not (question.ecosystem = any (${flat}::text[]) and source.unread -> (part.place - 1)::integer ->> 'name' is null
          and source.unread -> (part.place - 1)::integer ->> 'reason' = any (${[...besideTheListed]}::text[])
          and exists (
            select from tech_stack_items as item
            where item.organisation_id = source.organisation_id and item.project_id = source.project_id and item.source = source.source
              and item.ecosystem = question.ecosystem and item.package_name = question.package_name
          ))
      order by source.project_id, source.source, part.place
    )
    select project.name as project, found.source, found.part, (count(*) over ())::integer as sources
    from found join projects as project on project.organisation_id = ${scope.organisationId} and project.id = found.project_id
    order by project.name, found.source limit ${maxNamed}`.execute(tx);
  const inProject = scope.projectId !== undefined;
  return withMore(
    rows.map(({ project, source, part }) => `${inProject ? '' : `${plain(project)}: `}${partText(source, part)}`),
    rows[0]?.sources ?? 0,
  );
}

interface Summary {
  readonly source: string;
  readonly part: UnreadPart;
  readonly parts: number;
  readonly sources: number;
}

/** What the sources of a scope could not place, one text for each source. */
export async function unreadGapsOfSources(tx: Transaction, scope: Scope, source?: string): Promise<string[]> {
  const matters = sql`(not starts_with(part.key, ${weakKeyPrefix}) or ${isNamedByAdvisory(sql`
    named.ecosystem = split_part(part.key, ' ', 2)
    and named.package_name = substr(part.key, length(split_part(part.key, ' ', 1)) + length(split_part(part.key, ' ', 2)) + 3)`)})`;
  const { rows } = await sql<Summary>`
    with named as materialized (
      select organisation_id, project_id, source, (count(*) over ())::integer as sources from stack_sources
      where ${inScope(scope)} and unread_keys <> '{}' and ${ofLivingProject(scope)}
        ${source === undefined ? sql`` : sql`and source = ${source}`}
        and exists (select from unnest(unread_keys) as part (key) where ${matters})
      order by source, project_id limit ${maxNamed}
    )
    select source, unread -> (first.place - 1)::integer as part, first.parts, sources
    from named join stack_sources using (organisation_id, project_id, source)
    cross join lateral (
      select min(place) as place, count(*)::integer as parts
      from unnest(unread_keys) with ordinality as part (key, place) where ${matters}
    ) as first
    order by source, project_id`.execute(tx);
  return withMore(
    rows.map(({ source, part, parts }) => {
      const more = parts > 1 ? `, and ${formatCount(parts - 1)} more could not be placed` : '';
      return `${partText(source, part)}${more}`;
    }),
    rows[0]?.sources ?? 0,
  );
}

/** As `requirements.txt, line 3: django is a range, not one version (>=2.0)`. */
function partText(source: string, { name, reason, stated, at }: UnreadPart): string {
  const place = `${plain(source)}${at === null ? '' : `, ${plain(at)}`}`;
  const subject = name === null ? place : `${place}: ${plain(name)}`;
  return `${subject} ${unreadWords[reason]}${stated === null ? '' : ` (${plain(stated)})`}`;
}

/** Characters of a text of a source in one gap. It comes from outside, so it gets no room for sentences. */
const maxPlain = 80;

function plain(text: string): string {
  return text.length > maxPlain ? `${text.slice(0, maxPlain)}…` : text;
}

function withMore(texts: readonly string[], sources: number): string[] {
  const more = sources - texts.length;
  return more > 0 ? [...texts, `${formatCount(more)} more sources have parts that could not be placed`] : [...texts];
}

/** Records that one answer names; the others are only said to be there. */
const maxNamedRecords = 3;

interface UnreadRecord {
  readonly feed: string;
  readonly at: string;
  readonly field: string;
  readonly problem: string;
}

/** Gaps for one package from records of feeds that could not be read: those that name it, and those that may name any. */
export async function unreadGapsOfPackage(
  tx: Transaction,
  key: { readonly ecosystem: Ecosystem; readonly package_name: string },
): Promise<{ readonly named: readonly string[]; readonly unnamed: readonly string[] }> {
  const { rows } = await sql<UnreadRecord>`
    select feed, at, field, problem from unread_records where packages @> ${[packageKey(key)]}::text[]
    order by feed, place limit ${maxNamedRecords}`.execute(tx);
  return {
    named: rows.map(({ feed, at, field, problem }) => {
      const why = field === '' ? problem : `${field} ${problem}`;
      return `${feed}, ${at} is about this package and cannot be read: ${why}`;
    }),
    unnamed: await unreadGapsOfEcosystems(tx, [key.ecosystem], 'unnamed'),
  };
}

/**
 * Gaps for all packages of these ecosystems: feeds about them with records that could not be read. `unnamed`: only those
 * whose packages cannot be read either.
 */
export async function unreadGapsOfEcosystems(
  tx: Transaction,
  ecosystems: readonly Ecosystem[],
  which: 'all' | 'unnamed' = 'all',
): Promise<string[]> {
  const { rows } = await sql<{ name: string; unread: number; packages_read: number; about: Ecosystem[] }>`
    select name, unread, about, (
      select count(*)::integer from unread_records where feed = feeds.name and packages is not null
    ) as packages_read
    from feeds
    cross join lateral (
      select array(
        select unnest(covers || named) intersect select unnest(${[...ecosystems]}::text[]) order by 1
      ) as about
    ) as asked
    where unread > 0 and cardinality(about) > 0
    order by name`.execute(tx);
  return rows.flatMap(({ name, unread, packages_read, about }) => {
    const count = which === 'all' ? unread : unread - packages_read;
    const records = count === 1 ? '1 record' : `${count} records`;
    return count > 0 ? `${name}: ${records} cannot be read and may be about any package of ${about.join(', ')}` : [];
  });
}
