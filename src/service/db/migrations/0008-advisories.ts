import { type Kysely, sql } from 'kysely';

/** A name as `normaliseName` compares it since this version. Those of other ecosystems have not changed. */
const key = `case ecosystem when 'Go' then lower(package_name)
  when 'crates.io' then replace(lower(package_name), '_', '-') else package_name end`;

/** Rows whose name may change, and those that may have the same name afterwards. */
const isRekeyed = `ecosystem in ('Go', 'crates.io')`;

/**
 * Advisories whose stored summary says that they are withdrawn. What only their text says shows when they are loaded the
 * next time. Feeds are read again then, although their content is the same.
 */
const withdrawals = [
  `update advisories set withdrawn = modified
    where withdrawn is null and (
      summary ~* '^[^[:alnum:]]*(withdrawn( advisory)?|duplicate advisory)[^[:alnum:]]*(:|\\]|\\)| [-–—] |$)'
      or summary ~* '^[^[:alnum:]]*reject(ed)?( reason)?[^[:alnum:]]*:' or summary ~* '^\\*\\* ?reject ?\\*\\*'
      or summary ~* '[(\\[]withdrawn[)\\]][^[:alnum:]]*$'
    )`,
  `update feeds set content_hash = null, etag = null where name like 'osv:%'`,
];

/** Two spellings of one package become one row: an advisory's ranges and versions are alternatives, so both are kept. */
const mergedAdvisories = [
  `create temporary table rekeyed as
    select advisory_id, ecosystem, key as package_name,
      jsonb_build_object(
        'ranges', jsonb_path_query_array(jsonb_agg(affected), '$[*].ranges[*]'),
        'versions', jsonb_path_query_array(jsonb_agg(affected), '$[*].versions[*]')
      ) as affected,
      array(
        select distinct symbol from advisory_packages as same, unnest(same.symbols) as symbol
        where same.advisory_id = named.advisory_id and same.ecosystem = named.ecosystem
          and (${key.replaceAll(/ecosystem|package_name/g, 'same.$&')}) = named.key
        order by symbol
      ) as symbols
    from (select *, ${key} as key from advisory_packages where ${isRekeyed}) as named
    group by advisory_id, ecosystem, key
    having count(*) > 1 or min(package_name) <> key`,
  `delete from advisory_packages using rekeyed
    where advisory_packages.advisory_id = rekeyed.advisory_id and advisory_packages.ecosystem = rekeyed.ecosystem
      and (${key.replaceAll(/ecosystem|package_name/g, 'advisory_packages.$&')}) = rekeyed.package_name`,
  `insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
    select advisory_id, ecosystem, package_name, affected, symbols from rekeyed`,
  'drop table rekeyed',
];

/** Of equal rows the first one in an order stays. `same` identifies equal rows, `id` one row. */
function keepFirst(table: string, same: string, id: string, order: string): string {
  return `delete from ${table} using (
      select ${id}, row_number() over (partition by ${same} order by ${order}) as place
      from (select *, ${key} as key from ${table} where ${isRekeyed}) as rows
    ) as ranked
    where (${id.replaceAll(/\w+/g, `${table}.$&`)}) = (${id.replaceAll(/\w+/g, 'ranked.$&')}) and ranked.place > 1`;
}

const rename = (table: string) =>
  `update ${table} set package_name = ${key} where ${isRekeyed} and package_name <> ${key}`;

const strength = `case scope when 'runtime' then 0 when 'optional' then 1 else 2 end`;

const mergedPackages = [
  // One package named twice by a manifest: the stronger scope, and direct if either is, as in a sync.
  `update tech_stack_items as item set scope = strongest.scope, direct = strongest.direct, deprecated = strongest.deprecated
    from (
      select organisation_id, project_id, source, ecosystem, key, version, (array_agg(scope order by ${strength}))[1] as scope,
        bool_or(direct) as direct, min(deprecated) as deprecated
      from (select *, ${key} as key from tech_stack_items where ${isRekeyed}) as rows
      group by organisation_id, project_id, source, ecosystem, key, version having count(*) > 1
    ) as strongest
    where item.organisation_id = strongest.organisation_id and item.project_id = strongest.project_id
      and item.source = strongest.source and item.ecosystem = strongest.ecosystem and item.version = strongest.version
      and (${key.replaceAll(/ecosystem|package_name/g, 'item.$&')}) = strongest.key`,
  keepFirst(
    'tech_stack_items',
    'organisation_id, project_id, source, ecosystem, key, version',
    'organisation_id, id',
    'added_at, id',
  ),
  rename('tech_stack_items'),
  keepFirst(
    'usage_dependencies',
    'organisation_id, project_id, ecosystem, key, version',
    'organisation_id, project_id, ecosystem, package_name, version',
    'production_sites desc, all_sites desc, package_name',
  ),
  rename('usage_dependencies'),
  keepFirst(
    'package_health',
    'ecosystem, key',
    'ecosystem, package_name',
    'deprecated nulls last, unmaintained_since nulls last, package_name',
  ),
  rename('package_health'),
];

const sameAlert = 'organisation_id, project_id, ecosystem, key, vulnerability_id';

/**
 * Two alerts that become one: the one with the newest override stays, else an open one, else the oldest. It is open if
 * either is, and keeps the acknowledgement of either.
 */
const mergedAlerts = [
  `create temporary table merged as
    select ${sameAlert}, array_agg(id) as ids, min(first_seen_at) as first_seen_at,
      (array_agg(id order by (override_verdict is null), override_at desc nulls last, (resolved_at is not null),
        (acknowledged_at is null), first_seen_at, id))[1] as kept,
      (array_agg(id order by (resolved_at is not null), first_seen_at, id))[1] as state,
      (array_agg(id order by (resolved_at is not null), (acknowledged_at is null), first_seen_at, id))[1] as acknowledged
    from (
      select alerts.*, override_verdict, override_at, ${key} as key from alerts
      left join verdicts on verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id
      where ${isRekeyed}
    ) as rows
    group by ${sameAlert} having count(*) > 1`,
  `update alerts set first_seen_at = merged.first_seen_at, resolved_at = state.resolved_at, turns = state.turns,
      acknowledged_at = acknowledged.acknowledged_at, acknowledged_by = acknowledged.acknowledged_by,
      acknowledged_note = acknowledged.acknowledged_note,
      versions = array(
        select distinct version from alerts as same, unnest(same.versions) as version
        where same.organisation_id = merged.organisation_id and same.id = any (merged.ids) order by version
      ),
      advisory_ids = array(
        select distinct advisory from alerts as same, unnest(same.advisory_ids) as advisory
        where same.organisation_id = merged.organisation_id and same.id = any (merged.ids) order by advisory
      )
    from merged
    join alerts as state on state.organisation_id = merged.organisation_id and state.id = merged.state
    join alerts as acknowledged
      on acknowledged.organisation_id = merged.organisation_id and acknowledged.id = merged.acknowledged
    where alerts.organisation_id = merged.organisation_id and alerts.id = merged.kept`,
  `delete from alerts using merged
    where alerts.organisation_id = merged.organisation_id and alerts.id = any (merged.ids) and alerts.id <> merged.kept`,
  'drop table merged',
];

const isTracked = (condition = 'true') => `exists (
  select from tech_stack_items as tracked
  where tracked.organisation_id = alerts.organisation_id and tracked.project_id = alerts.project_id
    and tracked.ecosystem = alerts.ecosystem and tracked.package_name = alerts.package_name and ${condition}
)`;

/** None of its advisories is left that is not withdrawn. */
const isWithdrawn = `cardinality(advisory_ids) > 0 and not exists (
  select from unnest(advisory_ids) as named (id)
  where not exists (select from advisories where advisories.id = named.id and withdrawn is not null)
)`;

const resolutions = [
  `alter table alerts add column name text, add column resolution text
    check (resolution in ('package_removed', 'upgraded', 'advisory_withdrawn', 'no_longer_affected')),
    add constraint alerts_resolved_check check (resolution is null or resolved_at is not null)`,
  // One statement for all, because each writes the counts of all alerts anew.
  `update alerts set package_name = ${key},
      name = (
        select min(tracked.name) from tech_stack_items as tracked
        where tracked.organisation_id = alerts.organisation_id and tracked.project_id = alerts.project_id
          and tracked.ecosystem = alerts.ecosystem
          and tracked.package_name = ${key.replaceAll(/ecosystem|package_name/g, 'alerts.$&')}
      )`,
  `update alerts set resolution = case
      when not ${isTracked()} then 'package_removed'
      when not ${isTracked('tracked.version = any (alerts.versions)')} then 'upgraded'
      when ${isWithdrawn} then 'advisory_withdrawn'
      else 'no_longer_affected' end
    where resolved_at is not null`,
  `update alerts set resolved_at = now(), turns = turn(turns, now()), resolution = 'advisory_withdrawn'
    where resolved_at is null and ${isWithdrawn}`,
];

/** The order of alerts where their scores are equal, or where there are none: see `urgency` in alerts/list-alerts.ts. */
const urgency = `(kev_added is null), tier_rank, epss desc nulls last, cvss_score desc nulls last,
  package_name collate "C", vulnerability_id collate "C", ecosystem collate "C"`;
const priority = 'effective_priority desc nulls last';
const isResolved = '(resolved_at is not null)';

/** The order of the worst: see `worstFirst` in posture/worst.ts. */
const alertRank = `risk, risk_score desc, tier_rank, probability desc, severity_rank, cvss_score desc nulls last,
  package_name collate "C", vulnerability_id collate "C", id`;
const findingRank = `risk, risk_score desc, tier_rank, probability desc, severity_rank, rule_id collate "C", identity, id`;

function rankIndexes(table: string, domain: string, rank: string): string[] {
  return [
    `create index ${table}_by_risk on ${table} (organisation_id, ${domain}${rank}) where risk < 3`,
    `create index ${table}_by_risk_of_project on ${table} (organisation_id, project_id, ${domain}${rank}) where risk < 3`,
    `create index ${table}_new on ${table} (organisation_id, ${domain}opened_on, ${rank}) where risk is not null`,
    `create index ${table}_new_of_project on ${table} (organisation_id, project_id, ${domain}opened_on, ${rank})
      where risk is not null`,
  ];
}

/** Every list in an order that says something: before, ids that are random decided between equal ones. */
const indexes = [
  `drop index alerts_worst_first, alerts_of_band, alerts_of_tier, alerts_acknowledged, alerts_by_risk,
    alerts_by_risk_of_project, alerts_new, alerts_new_of_project, findings_by_risk, findings_by_risk_of_project,
    findings_new, findings_new_of_project`,
  `create index alerts_worst_first on alerts (organisation_id, project_id, ${isResolved}, ${priority}, ${urgency})`,
  `create index alerts_of_band on alerts (organisation_id, project_id, verdict_band, ${isResolved}, ${priority}, ${urgency})`,
  `create index alerts_of_tier on alerts (organisation_id, project_id, tier_rank, ${isResolved}, ${priority}, ${urgency})`,
  `create index alerts_acknowledged on alerts (organisation_id, project_id, ${isResolved}, ${priority}, ${urgency})
    where acknowledged_at is not null`,
  ...rankIndexes('alerts', '', alertRank),
  ...rankIndexes('findings', 'domain, ', findingRank),
  // Few npm names have capitals. A package URL can name them without.
  `create index advisory_packages_with_capitals on advisory_packages (lower(package_name))
    where ecosystem = 'npm' and package_name <> lower(package_name)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    ...withdrawals,
    ...mergedAdvisories,
    ...mergedPackages,
    ...mergedAlerts,
    ...resolutions,
    ...indexes,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
