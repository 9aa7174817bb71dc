import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../src/service/db/database.js';
import type { FindingDomain } from '../../src/service/db/tables/findings.js';
import { codeTiers } from '../../src/service/scanners/code-scan.js';
import { appTier } from '../../src/service/scanners/zap/severity.js';
import { draw, idOf, pick } from './volume-draw.js';
import { goneTurns, openTurns, rowsOf, timesOf, type Volume, vulnerabilityOf } from './volume-rows.js';
import type { Piece } from './volume-shares.js';
import { sourceOf } from './volume-sources.js';
import { titleOf } from './volume-titles.js';

/** Rules of scanners with the severity of their findings. A severity's share of rules is its share of findings. */
const codeRules = [
  { title: 'SQL query built from user input', severity: 'critical' },
  ...['Hard-coded credential', 'Path traversal', 'Command injection', 'Unsafe deserialisation'].map((title) => ({
    ...{ title, severity: 'high' as const },
  })),
  ...[
    'Weak hash',
    'Cross-site scripting',
    'Open redirect',
    'Missing CSRF check',
    'Insecure cookie',
    'ReDoS',
    'XXE',
  ].map((title) => ({ title, severity: 'medium' as const })),
  ...['Debug output', 'Permissive CORS', 'Broad exception', 'Unpinned action', 'Predictable temporary file'].map(
    (title) => ({ title, severity: 'low' as const }),
  ),
  ...['Code quality note', 'TODO left in code'].map((title) => ({ title, severity: 'info' as const })),
] as const;

const appRules = [
  { title: 'SQL Injection', severity: 'high' },
  { title: 'Cross Site Scripting (Reflected)', severity: 'high' },
  ...['Content Security Policy Header Not Set', 'Missing Anti-clickjacking Header', 'Vulnerable JS Library'].map(
    (title) => ({ title, severity: 'medium' as const }),
  ),
  ...['Cookie Without Secure Flag', 'Server Leaks Version', 'X-Content-Type-Options Header Missing'].map((title) => ({
    ...{ title, severity: 'low' as const },
  })),
  ...['Modern Web Application', 'Storable and Cacheable Content'].map((title) => ({
    ...{ title, severity: 'info' as const },
  })),
] as const;

const code = {
  tool: 'Semgrep',
  facts: factsOf(codeRules.map((rule) => ({ ...rule, tier: codeTiers[rule.severity] }))),
  details: sql`jsonb_build_object('message', title || ' in this place', 'line', 1 + k % 900, 'cwes', '["CWE-79"]'::jsonb,
    'help_url', 'https://rules.example/' || rule_id, 'in_production', ${draw('production')} < 0.6,
    'file', case when ${draw('production')} < 0.6 then 'src/' else 'test/' end || ${pick('folder', ['api', 'web', 'jobs', 'models'])}
      || '/module-' || (k % 499) || '.ts')`,
  modes: sql`'{}'::text[]`,
};

const runningApp = {
  tool: 'ZAP',
  // Confidence by ZAP's codes: 2 is medium.
  facts: factsOf(appRules.map((rule) => ({ ...rule, tier: appTier(rule.severity, 2) }))),
  details: sql`jsonb_build_object('confidence', 'Medium', 'instance_count', 1, 'cwes', '["CWE-693"]'::jsonb,
    'solution', 'Configure the server to send the header.', 'instances',
    jsonb_build_array(jsonb_build_object('url', source || '/path/' || k, 'method', 'GET', 'parameter', null)))`,
  modes: sql`array['baseline']`,
};

const containers = (volume: Volume) => ({
  tool: 'Trivy',
  facts: sql`(select coalesce(cve, id) as rule_id, title, finding_severity as severity, tier, cve, epss, kev_added, cvss_score,
      severity as label, package_name, epss_percentile
    from volume_vulnerabilities where volume_vulnerabilities.n = ${vulnerabilityOf(volume)})`,
  details: sql`jsonb_build_object(
    'package', jsonb_build_object('name', package_name, 'version', '1.' || (k % 20) || '.0', 'type', 'debian'),
    'path', null, 'fixed_version', case when k % 3 > 0 then '2.0.0' end,
    'layers', case when k % 5 > 0 then jsonb_build_array(k % 4, k % 4) end,
    'cvss_score', cvss_score, 'label', label, 'cves', to_jsonb(array_remove(array[cve], null)),
    'epss', case when epss is not null
      then jsonb_build_object('percentile', epss_percentile, 'date', ${volume.now}::timestamptz::date) end,
    'kev', case when kev_added is not null
      then jsonb_build_object('due_date', kev_added + 21, 'ransomware', k % 3 = 0) end)`,
  modes: sql`'{}'::text[]`,
});

interface Rule {
  readonly title: string;
  readonly severity: string;
  readonly tier: string;
}

/** One of the rules, each with the same probability. */
function factsOf(rules: readonly Rule[]): RawBuilder<unknown> {
  const rows = rules.map(
    ({ title, severity, tier }, place) =>
      sql`(${sql.lit(place)}, ${sql.lit(`rule-${place}`)}, ${sql.lit(titleOf(title))}, ${sql.lit(severity)}, ${sql.lit(tier)})`,
  );
  return sql`(
    select rule_id, title, severity, tier, null::text as cve, null::double precision as epss, null::date as kev_added
    from (values ${sql.join(rows)}) as rule (place, rule_id, title, severity, tier)
    where place = floor(${draw('rule')} * ${sql.lit(rules.length)})
  )`;
}

/** Writes findings of a domain in the state that scans would produce. */
export async function insertFindings(
  tx: Transaction,
  volume: Volume,
  domain: FindingDomain,
  batch: readonly Piece[],
): Promise<void> {
  const kind = { code, running_app: runningApp, containers: containers(volume) }[domain];
  await sql`
    with drawn as materialized (
      select rows.project_id, rows.k, rows.n, facts.*, times.*, ${sourceOf(domain)} as source,
        case when ${draw(`state ${domain}`)} < 0.57 then 'open' when ${draw(`state ${domain}`)} < 0.6 then 'suppressed'
          else 'fixed' end as state
      from ${rowsOf(batch, domain)} as rows
      cross join lateral ${timesOf(volume)} as times
      cross join lateral ${kind.facts} as facts
    )
    insert into findings (organisation_id, id, project_id, domain, source, tool, identity, rule_id, title, severity, tier,
      state, modes, cve, epss, kev_added, details, first_seen_at, last_seen_at, fixed_at, turns)
    select ${sql.lit(volume.organisationId)}, ${idOf('fnd', sql`${sql.lit(domain)} || n`)}, project_id, ${sql.lit(domain)},
      source, ${sql.lit(kind.tool)}, sha256(n::text::bytea), rule_id, title, severity, tier, state, ${kind.modes}, cve,
      epss, kev_added, ${kind.details}, came, case state when 'fixed' then gone else ${volume.now} end,
      case state when 'fixed' then gone end,
      case state when 'open' then ${openTurns} when 'fixed' then ${goneTurns} else '{}' end
    from drawn`.execute(tx);
}
