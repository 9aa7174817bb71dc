import { type Counted, ofLivingProject, type Signed, signed } from './count-triggers.js';

/**
 * A finding's days (`turns`) with what each counts for a window of time that begins with a day D and ends now. A window
 * sums all days from D on:
 *
 * - `appeared`: its first coming, on that day.
 * - `reopened`: its last coming after the first, on that day, and -1 on the day of the first. So it only counts where the
 *   first was before the window.
 * - `resolved`: the last day on which it stopped being open.
 * - `net`: 1 for each coming and -1 for each going, which is how many more are open now than when the window began.
 *
 * Each of the first three is at most one for a finding, in any window.
 */
export const windowDays = `
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)`;

/** Keeps `posture_days` for the findings of a domain, which is a literal or a column. */
export const countWindows =
  (domain: string, { key = '', living = ofLivingProject }: Counted = {}) =>
  (rows: Signed) =>
    `
  insert into posture_days as kept (organisation_id, domain, day, project_id, tier, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, sum(appeared), sum(reopened), sum(resolved), sum(net)
  from (${signed(
    rows,
    (from, sign) => `
    select organisation_id, ${domain} as domain, days.day, project_id, tier,
      ${sign} * days.appeared as appeared, ${sign} * days.reopened as reopened, ${sign} * days.resolved as resolved,
      ${sign} * days.net as net
    from ${from} cross join lateral (${windowDays}) as days`,
  )}) as counted
  where ${living}
  group by organisation_id, domain, day, project_id, tier
  having sum(appeared) <> 0 or sum(reopened) <> 0 or sum(resolved) <> 0 or sum(net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier${key})
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net;`;
