import { sql } from 'kysely';
import type { Transaction } from '../../src/service/db/database.js';
import { formula } from '../../src/verdict/formula.js';
import { draw, idOf } from './volume-draw.js';
import { goneTurns, openTurns, rowsOf, timesOf, type Volume, vulnerabilityOf } from './volume-rows.js';
import { exposures, type Piece } from './volume-shares.js';
import { drawnUsages } from './volume-vulnerabilities.js';

const { likelyExploitable, needsReview } = formula;

/** Shares of the alerts by usage, in the order of `drawnUsages`. */
const usagePlace = sql`(${draw('usage')} > 0.12)::integer + (${draw('usage')} > 0.35)::integer
  + (${draw('usage')} > 0.8)::integer + (${draw('usage')} > 0.92)::integer`;

/** The same rule as `bandOf`. */
const machineBand = sql`case when kev_added is not null then 'known_exploited'
  when machine_score >= ${sql.lit(likelyExploitable)} then 'likely_exploitable'
  when machine_score >= ${sql.lit(needsReview)} then 'needs_review' else 'likely_not_exploitable' end`;

/** As `StoredEvidence`, with its keys in the same order. */
const evidence = sql`jsonb_build_object(
  'versions', versions,
  'usage', jsonb_build_object('usage', usage, 'confidence', 'high', 'vulnerableSymbols', '[]'::jsonb,
    'sites', case when usage_place in (0, 1, 3) then jsonb_build_array(jsonb_build_object(
      'file', 'src/features/' || (n % 97) || '/index.ts', 'line', 1 + n % 400, 'column', 1, 'symbols', '["parse"]'::jsonb
    )) else '[]'::jsonb end,
    'siteCount', case when usage_place in (0, 1, 3) then 1 else 0 end,
    'paths', case when usage_place = 2 then jsonb_build_array(jsonb_build_array('pkg:npm/brings-it@2.' || (n % 30) || '.0'))
      else '[]'::jsonb end),
  'exploit', jsonb_build_object('severity', severity,
    'cvss', case when cvss_vector is not null
      then jsonb_build_object('version', '3.1', 'score', cvss_score, 'vector', cvss_vector) end,
    'attackVector', attack_vector,
    'epss', case when epss is not null then jsonb_build_object('probability', epss, 'percentile', epss_percentile,
      'date', scored_on, 'model', 'v2025.03.14') end,
    'kev', case when kev_added is not null then jsonb_build_object('dateAdded', kev_added) end),
  'exposure', exposure)`;

/** Writes alerts with verdicts in the state that reports and overrides would produce. */
export async function insertAlerts(tx: Transaction, volume: Volume, batch: readonly Piece[]): Promise<void> {
  const { organisationId, now } = volume;
  const organisation = sql.lit(organisationId);
  await sql`
    with drawn as materialized (
      select rows.project_id, rows.exposure, rows.reported, rows.n, known.*, times.*,
        ${idOf('alr', sql`'alert' || rows.n`)} as alert_id, ${now}::timestamptz::date as scored_on,
        array['1.' || (rows.n % 20) || '.' || (rows.n % 7)] as versions,
        ${draw('resolved')} >= 0.55 as resolved, ${draw('acknowledged')} as acknowledged, usage_place,
        (${drawnUsages}::text[])[1 + usage_place] as usage,
        known.scores[1 + usage_place * ${sql.lit(exposures.length)} + rows.exposure_place] as machine_score,
        case when ${draw('override')} < 0.008 then 'NotExploitable' when ${draw('override')} < 0.01 then 'Exploitable' end as ruled
      from ${rowsOf(batch)} as rows
      cross join lateral (select ${usagePlace} as usage_place) as used
      cross join lateral ${timesOf(volume)} as times
      join (select n as vulnerability, id as advisory_id, cve, severity, epss, malicious, package_name, ecosystem, title,
          cvss_score, cvss_vector, attack_vector, epss_percentile, kev_added, tier, scores
        from volume_vulnerabilities) as known on known.vulnerability = ${vulnerabilityOf(volume)}
    ), judged as materialized (
      select *, ${machineBand} as machine_band,
        case ruled when 'NotExploitable' then 0 when 'Exploitable' then greatest(machine_score, ${sql.lit(likelyExploitable)})
          else machine_score end as score,
        case ruled when 'NotExploitable' then 'likely_not_exploitable' when 'Exploitable' then 'likely_exploitable'
          else ${machineBand} end as band,
        ${evidence} as evidence
      from drawn
    ), written as (
      insert into alerts (organisation_id, id, project_id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, safe_version, severity, cvss_version, cvss_score, cvss_vector, epss, epss_percentile, epss_date,
        kev_added, kev_due, kev_ransomware, malicious, tier, acknowledged_at, acknowledged_by, acknowledged_note,
        first_seen_at, resolved_at, effective_priority, verdict_band, usage, turns)
      select ${organisation}, alert_id, project_id, coalesce(cve, advisory_id), ecosystem, package_name,
        array[advisory_id], array_remove(array[cve], null), title, versions, '2.0.0', severity,
        case when cvss_vector is not null then '3.1' end, cvss_score, cvss_vector, epss, epss_percentile,
        case when epss is not null then scored_on end, kev_added, kev_added + 21,
        case when kev_added is not null then n % 3 = 0 end, malicious, tier,
        case when acknowledged < 0.07 then gone end, case when acknowledged < 0.07 then 'volume' end,
        case when acknowledged < 0.04 then 'Known: we wait for the next release.' end,
        came, case when resolved then gone end, case when reported then score end, case when reported then band end,
        case when reported then usage end, case when resolved then ${goneTurns} else ${openTurns} end
      from judged
    )
    insert into verdicts (organisation_id, id, project_id, alert_id, machine_score, machine_band, evidence, evidence_hash,
      formula, computed_at, override_verdict, override_reason, override_by, override_at, override_signature)
    select ${organisation}, ${idOf('ver', sql`'verdict' || n`)}, project_id, alert_id, machine_score, machine_band, evidence,
      sha256(evidence::text::bytea), ${formula.name}, ${now}, ruled, case when ruled is not null then 'Looked at by the team.' end,
      case when ruled is not null then 'volume' end, case when ruled is not null then gone end,
      case when ruled is not null then sha256(evidence::text::bytea) end
    from judged where reported`.execute(tx);
}
