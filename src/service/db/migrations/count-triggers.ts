import { escapeIdentifier } from 'pg';

/** Rows with the sign by which they count: those of a statement's transition tables, or all rows. */
export type Signed = ReadonlyArray<readonly [rows: string, sign: '+' | '-']>;

export function signed(rows: Signed, select: (from: string, sign: string) => string): string {
  return rows.map(([from, sign]) => select(from, `${sign}1`)).join(' union all ');
}

/** Deleting a project deletes its counts. */
export const ofLivingProject = `exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
)`;

/** The same since 0014: a project whose rows are removed has no counts. */
export const ofKeptProject = ofLivingProject.replace(/\)$/, '  and projects.removed_at is null\n)');

export interface Counted {
  /** Further columns of the counts' key. */
  readonly key?: string;
  /** Whose rows count. */
  readonly living?: string;
}

export const countAlerts = (rows: Signed, { key = '', living = ofLivingProject }: Counted = {}) => `
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  select organisation_id, 'dependencies', '', project_id, state, tier, severity, band, sum(sign)
  from (${signed(
    rows,
    (from, sign) => `
    select organisation_id, project_id, tier, coalesce(verdict_band, 'unanalyzed') as band, ${sign} as sign,
      case when severity = 'moderate' then 'medium' else coalesce(severity, 'unknown') end as severity,
      case when resolved_at is null then 'open' else 'resolved' end
        || case when acknowledged_at is null then '' else '_acknowledged' end as state
    from ${from}`,
  )}) as counted
  where ${living}
  group by organisation_id, project_id, state, tier, severity, band
  having sum(sign) <> 0
  order by project_id, state, tier, severity, band
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band${key})
    do update set count = kept.count + excluded.count;`;

export const countFindings = (rows: Signed) => `
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  select organisation_id, domain, coalesce(source, ''), project_id, state, tier, severity, '', sum(sign)
  from (${signed(
    rows,
    (from, sign) =>
      `select organisation_id, domain, source, project_id, state, tier, severity, ${sign} as sign from ${from}`,
  )}) as counted
  where ${ofLivingProject}
  group by grouping sets (
    (organisation_id, domain, project_id, state, tier, severity),
    (organisation_id, domain, project_id, state, tier, severity, source)
  )
  having sum(sign) <> 0
  order by domain, source, project_id, state, tier, severity
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band)
    do update set count = kept.count + excluded.count;`;

/**
 * How many findings are open now and were not open when day D began? The sum of `arrived` over D and all later days: each
 * time a finding became open counts 1 on its day, each time it stopped counts -1. How many were open then and are not now?
 * The sum of `departed`, with the signs swapped. When a finding opens or closes, all its days move to the other sum.
 */
const countTurns = (domain: string) => (rows: Signed) =>
  `
  insert into posture_days as kept (organisation_id, domain, day, project_id, tier, arrived, departed)
  select organisation_id, domain, day, project_id, tier, sum(arrived), sum(departed)
  from (${signed(
    rows,
    (from, sign) => `
    select organisation_id, ${domain} as domain, day, project_id, tier,
      ${sign} * case when cardinality(turns) % 2 = 0 then 0 when nth % 2 = 1 then 1 else -1 end as arrived,
      ${sign} * case when cardinality(turns) % 2 = 1 then 0 when nth % 2 = 1 then -1 else 1 end as departed
    from ${from} cross join lateral unnest(turns) with ordinality as turned (day, nth)`,
  )}) as counted
  where ${ofLivingProject}
  group by organisation_id, domain, day, project_id, tier
  having sum(arrived) <> 0 or sum(departed) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier)
    do update set arrived = kept.arrived + excluded.arrived, departed = kept.departed + excluded.departed;`;

const operations = {
  insert: { referencing: 'new table as new_rows', rows: [['new_rows', '+']] },
  update: {
    referencing: 'old table as old_rows new table as new_rows',
    rows: [
      ['new_rows', '+'],
      ['old_rows', '-'],
    ],
  },
  delete: { referencing: 'old table as old_rows', rows: [['old_rows', '-']] },
} as const;

/**
 * Triggers that keep the counts in the transaction of every change. They run with their owner's rights, because tenants may
 * only read counts. Names are looked up in `schema` first and in temporary tables last, because anybody may create those
 * (PostgreSQL, CREATE FUNCTION, "Writing SECURITY DEFINER Functions Safely").
 */
export function countingTriggers(
  schema: string,
  table: string,
  counts: ReadonlyArray<(rows: Signed) => string>,
): string[] {
  return Object.entries(operations).flatMap(([operation, { referencing, rows }]) => [
    `create function count_${table}_${operation}() returns trigger language plpgsql security definer
      set search_path = ${escapeIdentifier(schema)}, pg_temp as $$
      begin ${counts.map((count) => count(rows)).join('\n')} return null; end $$`,
    `create trigger count_${operation} after ${operation} on ${table} referencing ${referencing}
      for each statement execute function count_${table}_${operation}()`,
  ]);
}

/** The counting statements of each table, over rows with their signs. */
export const alertCounts = [countAlerts, countTurns(`'dependencies'`)];
export const findingCounts = [countFindings, countTurns('domain')];
