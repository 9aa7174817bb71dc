import { ofKeptProject, type Signed, signed } from './count-triggers.js';
import { windowDays } from './window-counts.js';

/** Sets whose rows are not seen yet. A change by a set that has landed counts at once. */
const open = `array(select id from change_sets where state <> 'landed')`;

const booked = (mark: string) => `case when ${mark} = any (${open}) then ${mark} else 0 end`;

/**
 * The rows by the set that they count for: 1 for the set that added one, and -1 for the set that removed it. So the sum over
 * all sets that a reader sees is the number of rows that it sees.
 */
export const bySet = (from: string, columns: string, sign: string) => `
  select ${columns}, ${booked('added_in')} as change_set, ${sign} as sign from ${from}
  union all
  select ${columns}, ${booked('removed_in')}, - (${sign}) from ${from} where removed_in <> 0`;

/** Keeps `posture_counts` for the findings, by change set. */
export const countFindingsBySet = (rows: Signed) => `
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, change_set, count)
  select organisation_id, domain, coalesce(source, ''), project_id, state, tier, severity, '', change_set, sum(sign)
  from (${signed(rows, (from, sign) => bySet(from, 'organisation_id, domain, source, project_id, state, tier, severity', sign))}) as counted
  where ${ofKeptProject}
  group by grouping sets (
    (organisation_id, domain, project_id, state, tier, severity, change_set),
    (organisation_id, domain, project_id, state, tier, severity, change_set, source)
  )
  having sum(sign) <> 0
  order by domain, source, project_id, state, tier, severity
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;`;

/** Keeps `posture_days` for the findings, by change set. Findings with the same days are counted together. */
export const countSetTurns = (rows: Signed) => `
  insert into posture_days as kept
    (organisation_id, domain, day, project_id, tier, change_set, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, change_set,
    sum(sign * appeared), sum(sign * reopened), sum(sign * resolved), sum(sign * net)
  from (
    select organisation_id, domain, project_id, tier, turns, change_set, sum(sign) as sign
    from (${signed(rows, (from, sign) => bySet(from, 'organisation_id, domain, project_id, tier, turns', sign))}) as counted
    where ${ofKeptProject}
    group by organisation_id, domain, project_id, tier, turns, change_set
    having sum(sign) <> 0
  ) as counted cross join lateral (${windowDays}) as days
  group by organisation_id, domain, day, project_id, tier, change_set
  having sum(sign * appeared) <> 0 or sum(sign * reopened) <> 0 or sum(sign * resolved) <> 0 or sum(sign * net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net;`;
