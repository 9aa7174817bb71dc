import { type RawBuilder, sql } from 'kysely';
import { formatCount } from '../../shared/text/number-text.js';
import { type CountedFilters, countFindings, totalWith } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { inScope, isListed, type Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { key, type List } from '../http/list-order.js';
import { isNew, type Paging, pageOfRows } from '../http/page.js';
import type { FindingRow } from './finding-row.js';
import { withConfirmations } from './last-reports.js';

interface FindingsFilter extends Paging, Pick<FindingRow, 'domain'> {
  /** This finding alone, whatever its state. */
  readonly finding_id?: string | undefined;
  readonly state: 'open' | 'suppressed' | 'fixed' | 'all';
  readonly severity?: readonly FindingRow['severity'][] | undefined;
  readonly cwe?: string | undefined;
  readonly epss_min?: number | undefined;
  /** As in `findings.source`. */
  readonly source?: string | undefined;
}

/** Values of the generated column `state_rank`: the index has it, but not the state. */
const stateRanks = { open: 0, suppressed: 1, fixed: 2 } as const;

/**
 * Open ones first, the worst first. The order is that of the indexes `findings_worst_first`, and `findings_of_all` over all projects,
 * each in its own words (0025).
 */
function worstFirst({ projectId }: Scope): List {
  return {
    keys: [
      key('state_rank', 'numeric'),
      projectId === undefined
        ? key(sql`(kev_added is not null)`, 'bool', 'desc')
        : key(sql`(kev_added is null)`, 'bool'),
      key('tier_rank', 'numeric'),
      key('probability', 'float8', 'desc'),
      key('severity_rank', 'numeric'),
      key('sort_name', 'text'),
      key('id', 'text'),
    ],
    appeared: sql`first_seen_at`,
    changed: (since) => sql<boolean>`greatest(first_seen_at, fixed_at) >= ${since}`,
  };
}

/** The rows of one page. */
export function findingsPage(tx: Transaction, scope: Scope, filter: FindingsFilter) {
  return pageOfRows(worstFirst(scope), filter, filtered(tx, scope, filter).selectAll());
}

type Filters = FiltersOf<FindingsFilter>;
type Counted = Pick<Filters, 'state' | 'severity'>;

/** The conditions of the filters that the kept counts do not know. */
const uncounted: Conditions<Pick<Filters, 'cwe' | 'epss_min'>> = {
  cwe: (kind) => sql<boolean>`jsonb_exists(findings.details -> 'cwes', ${kind})`,
  epss_min: (least) => sql<boolean>`findings.epss >= ${least}`,
};

/** `finding_id` asks for one finding, whatever its state. */
const conditions: Conditions<Filters> = {
  domain: (domain) => sql<boolean>`domain = ${domain}`,
  finding_id: () => undefined,
  state: (state) => (state === 'all' ? undefined : sql<boolean>`state_rank = ${stateRanks[state]}`),
  severity: isOneOf,
  source: isOfSource,
  ...uncounted,
};

const countedFindings: CountedFilters<Counted> = {
  state: (kind, state) => state === 'all' || kind.state === state,
  severity: (kind, severities) => severities.some((each) => each === kind.severity),
};

/** The findings that pass the filter. */
function filtered(tx: Transaction, scope: Scope, filter: Filters) {
  return tx
    .selectFrom('findings')
    .where(isListed(scope))
    .where(all(conditionsOf(conditions, filter)));
}

/** One severity has an index. */
function isOneOf(severities: readonly FindingRow['severity'][]): RawBuilder<boolean> | undefined {
  const [one, ...others] = severities;
  if (one === undefined) return undefined;
  return others.length === 0 ? sql<boolean>`severity = ${one}` : sql<boolean>`severity = any (${severities}::text[])`;
}

/** The index has the source's hash: a source may be too long for it. */
function isOfSource(source: string) {
  return sql<boolean>`md5(source) = md5(${source}) and source = ${source}`;
}

/** An input has no filter that lists of findings do not know. */
type Known<Input> = Input &
  Readonly<Record<Exclude<keyof Input, keyof FindingsFilter | 'project_id' | 'group'>, never>>;

/** How many findings pass the filter, by the counts that the database keeps, and that page of them. */
export async function listFindings<Input extends FindingsFilter>(tx: Transaction, scope: Scope, filter: Known<Input>) {
  const { domain, source, finding_id } = filter;
  if (finding_id !== undefined) return findOne(tx, scope, domain, finding_id);
  const searched = source === undefined ? scope : await projectsWith(tx, scope, domain, source);
  const page = findingsPage(tx, searched, filter);
  const [total, rows] = await Promise.all([countPassing(tx, searched, filter), page.execute()]);
  return { total, rows: await withConfirmations(tx, scope.organisationId, rows) };
}

/** How many findings pass. Reads findings only where the counts that the database keeps do not know a filter. */
async function countPassing(tx: Transaction, scope: Scope, filter: FindingsFilter): Promise<number> {
  const isMeant = isNew(worstFirst(scope), filter);
  if (conditionsOf(uncounted, filter).length > 0 || isMeant !== undefined) {
    const meant = filtered(tx, scope, filter).where(isMeant ?? sql<boolean>`true`);
    const counted = meant.select((row) => row.fn.countAll<number>().as('total'));
    return (await counted.executeTakeFirstOrThrow()).total;
  }
  const { domain, source } = filter;
  return totalWith(await countFindings(tx, scope, domain, source), countedFindings, filter);
}

/** Names what a list without rows cannot say: findings that it leaves out for their state, and those with no known value for a filter. */
export async function filterGaps(tx: Transaction, scope: Scope, filter: FindingsFilter): Promise<string[]> {
  const { state, cwe, epss_min } = filter;
  const suppressed = state === 'open' ? await countPassing(tx, scope, { ...filter, state: 'suppressed' }) : 0;
  const open = state === 'fixed' ? await countPassing(tx, scope, { ...filter, state: 'open' }) : 0;
  const gaps = [
    ...(suppressed === 0 ? [] : [`${formatCount(suppressed)} suppressed by their own report`]),
    ...(open === 0 ? [] : [`${formatCount(open)} open, left out by the filter`]),
  ];
  if (cwe !== undefined) gaps.push(...(await unknownGap(tx, scope, { ...filter, cwe: undefined }, unknowns.cwe)));
  if (epss_min !== undefined)
    gaps.push(...(await unknownGap(tx, scope, { ...filter, epss_min: undefined }, unknowns.epss)));
  return gaps;
}

const unknowns = {
  cwe: { isUnknown: sql<boolean>`coalesce(findings.details -> 'cwes', '[]') = '[]'`, what: 'kind of weakness' },
  epss: { isUnknown: sql<boolean>`findings.epss is null`, what: 'EPSS' },
};

async function unknownGap(
  tx: Transaction,
  scope: Scope,
  others: FindingsFilter,
  { isUnknown, what }: (typeof unknowns)['cwe'],
): Promise<string[]> {
  const { open } = await filtered(tx, scope, { ...others, state: 'open' })
    .where(isUnknown)
    .select((row) => row.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow();
  return open === 0
    ? []
    : [`${formatCount(open)} open ${open === 1 ? 'finding has' : 'findings have'} no known ${what}`];
}

/** The scope without projects that have no findings of a source: within one project an index has their order. */
async function projectsWith(
  tx: Transaction,
  scope: Scope,
  domain: FindingRow['domain'],
  source: string,
): Promise<Scope> {
  if (scope.projectId !== undefined) return scope;
  const rows = await tx
    .selectFrom('posture_counts')
    .select('project_id')
    .distinct()
    .where(inScope(scope))
    .where(({ and }) => and({ domain, source }))
    .execute();
  const among = rows.map(({ project_id }) => project_id);
  const { organisationId } = scope;
  return among.length === 1 ? { organisationId, projectId: among[0] } : { organisationId, among };
}

/** One finding as a list, or 404. */
async function findOne(tx: Transaction, scope: Scope, domain: FindingRow['domain'], id: string) {
  const row = await tx
    .selectFrom('findings')
    .selectAll()
    .where(isListed(scope))
    .where(({ and }) => and({ domain, id }))
    .executeTakeFirstOrThrow(() => notFound('finding'));
  return { total: 1, rows: await withConfirmations(tx, scope.organisationId, [{ ...row, place: '[]' }]) };
}
