-- A database of Postern 0.1.0 (migration 0032) with a row in each of the tenants' tables, as pg_dump writes it.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.count_alerts_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  select organisation_id, 'dependencies', '', project_id, state, tier, severity, band, sum(sign)
  from (
    select organisation_id, project_id, tier, coalesce(verdict_band, 'unanalyzed') as band, -1 as sign,
      case when severity = 'moderate' then 'medium' else coalesce(severity, 'unknown') end as severity,
      case when resolved_at is null then 'open' else 'resolved' end
        || case when acknowledged_at is null then '' else '_acknowledged' end as state
    from old_rows) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, state, tier, severity, band
  having sum(sign) <> 0
  order by project_id, state, tier, severity, band
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept (organisation_id, domain, day, project_id, tier, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, sum(appeared), sum(reopened), sum(resolved), sum(net)
  from (
    select organisation_id, 'dependencies' as domain, days.day, project_id, tier,
      -1 * days.appeared as appeared, -1 * days.reopened as reopened, -1 * days.resolved as resolved,
      -1 * days.net as net
    from old_rows cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, domain, day, project_id, tier
  having sum(appeared) <> 0 or sum(reopened) <> 0 or sum(resolved) <> 0 or sum(net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_alerts_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  select organisation_id, 'dependencies', '', project_id, state, tier, severity, band, sum(sign)
  from (
    select organisation_id, project_id, tier, coalesce(verdict_band, 'unanalyzed') as band, +1 as sign,
      case when severity = 'moderate' then 'medium' else coalesce(severity, 'unknown') end as severity,
      case when resolved_at is null then 'open' else 'resolved' end
        || case when acknowledged_at is null then '' else '_acknowledged' end as state
    from new_rows) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, state, tier, severity, band
  having sum(sign) <> 0
  order by project_id, state, tier, severity, band
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept (organisation_id, domain, day, project_id, tier, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, sum(appeared), sum(reopened), sum(resolved), sum(net)
  from (
    select organisation_id, 'dependencies' as domain, days.day, project_id, tier,
      +1 * days.appeared as appeared, +1 * days.reopened as reopened, +1 * days.resolved as resolved,
      +1 * days.net as net
    from new_rows cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, domain, day, project_id, tier
  having sum(appeared) <> 0 or sum(reopened) <> 0 or sum(resolved) <> 0 or sum(net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_alerts_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  select organisation_id, 'dependencies', '', project_id, state, tier, severity, band, sum(sign)
  from (
    select organisation_id, project_id, tier, coalesce(verdict_band, 'unanalyzed') as band, +1 as sign,
      case when severity = 'moderate' then 'medium' else coalesce(severity, 'unknown') end as severity,
      case when resolved_at is null then 'open' else 'resolved' end
        || case when acknowledged_at is null then '' else '_acknowledged' end as state
    from new_rows union all 
    select organisation_id, project_id, tier, coalesce(verdict_band, 'unanalyzed') as band, -1 as sign,
      case when severity = 'moderate' then 'medium' else coalesce(severity, 'unknown') end as severity,
      case when resolved_at is null then 'open' else 'resolved' end
        || case when acknowledged_at is null then '' else '_acknowledged' end as state
    from old_rows) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, state, tier, severity, band
  having sum(sign) <> 0
  order by project_id, state, tier, severity, band
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept (organisation_id, domain, day, project_id, tier, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, sum(appeared), sum(reopened), sum(resolved), sum(net)
  from (
    select organisation_id, 'dependencies' as domain, days.day, project_id, tier,
      +1 * days.appeared as appeared, +1 * days.reopened as reopened, +1 * days.resolved as resolved,
      +1 * days.net as net
    from new_rows cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days union all 
    select organisation_id, 'dependencies' as domain, days.day, project_id, tier,
      -1 * days.appeared as appeared, -1 * days.reopened as reopened, -1 * days.resolved as resolved,
      -1 * days.net as net
    from old_rows cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, domain, day, project_id, tier
  having sum(appeared) <> 0 or sum(reopened) <> 0 or sum(resolved) <> 0 or sum(net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_findings_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, change_set, count)
  select organisation_id, domain, coalesce(source, ''), project_id, state, tier, severity, '', change_set, sum(sign)
  from (
  select organisation_id, domain, source, project_id, state, tier, severity, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, domain, source, project_id, state, tier, severity, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by grouping sets (
    (organisation_id, domain, project_id, state, tier, severity, change_set),
    (organisation_id, domain, project_id, state, tier, severity, change_set, source)
  )
  having sum(sign) <> 0
  order by domain, source, project_id, state, tier, severity
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept
    (organisation_id, domain, day, project_id, tier, change_set, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, change_set,
    sum(sign * appeared), sum(sign * reopened), sum(sign * resolved), sum(sign * net)
  from (
    select organisation_id, domain, project_id, tier, turns, change_set, sum(sign) as sign
    from (
  select organisation_id, domain, project_id, tier, turns, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, domain, project_id, tier, turns, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
    where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
    group by organisation_id, domain, project_id, tier, turns, change_set
    having sum(sign) <> 0
  ) as counted cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days
  group by organisation_id, domain, day, project_id, tier, change_set
  having sum(sign * appeared) <> 0 or sum(sign * reopened) <> 0 or sum(sign * resolved) <> 0 or sum(sign * net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_findings_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, change_set, count)
  select organisation_id, domain, coalesce(source, ''), project_id, state, tier, severity, '', change_set, sum(sign)
  from (
  select organisation_id, domain, source, project_id, state, tier, severity, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, domain, source, project_id, state, tier, severity, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by grouping sets (
    (organisation_id, domain, project_id, state, tier, severity, change_set),
    (organisation_id, domain, project_id, state, tier, severity, change_set, source)
  )
  having sum(sign) <> 0
  order by domain, source, project_id, state, tier, severity
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept
    (organisation_id, domain, day, project_id, tier, change_set, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, change_set,
    sum(sign * appeared), sum(sign * reopened), sum(sign * resolved), sum(sign * net)
  from (
    select organisation_id, domain, project_id, tier, turns, change_set, sum(sign) as sign
    from (
  select organisation_id, domain, project_id, tier, turns, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, domain, project_id, tier, turns, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0) as counted
    where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
    group by organisation_id, domain, project_id, tier, turns, change_set
    having sum(sign) <> 0
  ) as counted cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days
  group by organisation_id, domain, day, project_id, tier, change_set
  having sum(sign * appeared) <> 0 or sum(sign * reopened) <> 0 or sum(sign * resolved) <> 0 or sum(sign * net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_findings_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, change_set, count)
  select organisation_id, domain, coalesce(source, ''), project_id, state, tier, severity, '', change_set, sum(sign)
  from (
  select organisation_id, domain, source, project_id, state, tier, severity, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, domain, source, project_id, state, tier, severity, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0 union all 
  select organisation_id, domain, source, project_id, state, tier, severity, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, domain, source, project_id, state, tier, severity, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by grouping sets (
    (organisation_id, domain, project_id, state, tier, severity, change_set),
    (organisation_id, domain, project_id, state, tier, severity, change_set, source)
  )
  having sum(sign) <> 0
  order by domain, source, project_id, state, tier, severity
  on conflict (organisation_id, domain, source, project_id, state, tier, severity, band, change_set)
    do update set count = kept.count + excluded.count;
  insert into posture_days as kept
    (organisation_id, domain, day, project_id, tier, change_set, appeared, reopened, resolved, net)
  select organisation_id, domain, day, project_id, tier, change_set,
    sum(sign * appeared), sum(sign * reopened), sum(sign * resolved), sum(sign * net)
  from (
    select organisation_id, domain, project_id, tier, turns, change_set, sum(sign) as sign
    from (
  select organisation_id, domain, project_id, tier, turns, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, domain, project_id, tier, turns, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0 union all 
  select organisation_id, domain, project_id, tier, turns, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, domain, project_id, tier, turns, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
    where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
    group by organisation_id, domain, project_id, tier, turns, change_set
    having sum(sign) <> 0
  ) as counted cross join lateral (
  select turned.day,
    case nth when 1 then 1 else 0 end as appeared,
    case when cardinality(turns) <= 2 then 0 when nth = 1 then -1 when nth = (cardinality(turns) - 1) / 2 * 2 + 1 then 1
      else 0 end as reopened,
    case when nth = cardinality(turns) / 2 * 2 then 1 else 0 end as resolved,
    case nth % 2 when 1 then 1 else -1 end as net
  from unnest(turns) with ordinality as turned (day, nth)) as days
  group by organisation_id, domain, day, project_id, tier, change_set
  having sum(sign * appeared) <> 0 or sum(sign * reopened) <> 0 or sum(sign * resolved) <> 0 or sum(sign * net) <> 0
  order by domain, day, project_id, tier
  on conflict (organisation_id, domain, day, project_id, tier, change_set)
    do update set appeared = kept.appeared + excluded.appeared, reopened = kept.reopened + excluded.reopened,
      resolved = kept.resolved + excluded.resolved, net = kept.net + excluded.net; return null; end $$;
CREATE FUNCTION public.count_tech_stack_items_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into stack_counts as kept (organisation_id, project_id, change_set, packages, first_at, changed_at)
  select organisation_id, project_id, change_set, sum(sign), min(added_at),
    case when sum(sign) < 0 then greatest(max(updated_at), now()) else max(updated_at) end
  from (
  select organisation_id, project_id, added_at, updated_at, -1 as side, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, project_id, added_at, updated_at, -1 as side, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, change_set
  having sum(sign) <> 0
  or max(updated_at) filter (where side = 1) > max(updated_at) filter (where side = -1)
  order by project_id, change_set
  on conflict (organisation_id, project_id, change_set) do update set packages = kept.packages + excluded.packages,
    first_at = least(kept.first_at, excluded.first_at), changed_at = greatest(kept.changed_at, excluded.changed_at); return null; end $$;
CREATE FUNCTION public.count_tech_stack_items_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into stack_counts as kept (organisation_id, project_id, change_set, packages, first_at, changed_at)
  select organisation_id, project_id, change_set, sum(sign), min(added_at),
    case when sum(sign) < 0 then greatest(max(updated_at), now()) else max(updated_at) end
  from (
  select organisation_id, project_id, added_at, updated_at, +1 as side, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, project_id, added_at, updated_at, +1 as side, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, change_set
  having sum(sign) <> 0
  or max(updated_at) filter (where side = 1) > max(updated_at) filter (where side = -1)
  order by project_id, change_set
  on conflict (organisation_id, project_id, change_set) do update set packages = kept.packages + excluded.packages,
    first_at = least(kept.first_at, excluded.first_at), changed_at = greatest(kept.changed_at, excluded.changed_at); return null; end $$;
CREATE FUNCTION public.count_tech_stack_items_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
  insert into stack_counts as kept (organisation_id, project_id, change_set, packages, first_at, changed_at)
  select organisation_id, project_id, change_set, sum(sign), min(added_at),
    case when sum(sign) < 0 then greatest(max(updated_at), now()) else max(updated_at) end
  from (
  select organisation_id, project_id, added_at, updated_at, +1 as side, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, +1 as sign from new_rows
  union all
  select organisation_id, project_id, added_at, updated_at, +1 as side, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (+1) from new_rows where removed_in <> 0 union all 
  select organisation_id, project_id, added_at, updated_at, -1 as side, case when added_in = any (array(select id from change_sets where state <> 'landed')) then added_in else 0 end as change_set, -1 as sign from old_rows
  union all
  select organisation_id, project_id, added_at, updated_at, -1 as side, case when removed_in = any (array(select id from change_sets where state <> 'landed')) then removed_in else 0 end, - (-1) from old_rows where removed_in <> 0) as counted
  where exists (
  select from projects where projects.organisation_id = counted.organisation_id and projects.id = counted.project_id
  and projects.removed_at is null
)
  group by organisation_id, project_id, change_set
  having sum(sign) <> 0
  or max(updated_at) filter (where side = 1) > max(updated_at) filter (where side = -1)
  order by project_id, change_set
  on conflict (organisation_id, project_id, change_set) do update set packages = kept.packages + excluded.packages,
    first_at = least(kept.first_at, excluded.first_at), changed_at = greatest(kept.changed_at, excluded.changed_at); return null; end $$;
CREATE FUNCTION public.hidden_sets() RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
  begin
    return array(
      select id from "public".change_sets
      where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and state <> 'landed' and id <> "public".own_change_set()
    );
  end $$;
CREATE FUNCTION public.name_alerts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin 
  insert into searched_names (organisation_id, kind, part, name, sought)
  select * from (select distinct * from (select organisation_id, 'vulnerability', vulnerability_id, named, lower(named) from new_rows
      cross join lateral unnest(advisory_ids || vulnerability_id) as named) as named) as named (organisation_id, kind, part, name, sought)
  order by 1, 2, 3, 4 on conflict do nothing; return null; end $$;
CREATE FUNCTION public.name_findings() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin 
  insert into searched_names (organisation_id, kind, part, name, sought)
  select * from (select distinct * from (select organisation_id, 'rule', domain, rule_id, lower(rule_id || chr(10) || left(min(title), 200))
      from new_rows group by organisation_id, domain, rule_id) as named) as named (organisation_id, kind, part, name, sought)
  order by 1, 2, 3, 4 on conflict do nothing; return null; end $$;
CREATE FUNCTION public.name_findings_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin delete from finding_names where organisation_id = old.organisation_id and name = any (old.named)
    and finding_id = old.id and added_in = old.added_in; return null; end $$;
CREATE FUNCTION public.name_findings_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin insert into finding_names (organisation_id, name, finding_id, added_in)
      select organisation_id, unnest(named), id, added_in from new_rows where named <> '{}' on conflict do nothing; return null; end $$;
CREATE FUNCTION public.name_findings_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin delete from finding_names where organisation_id = old.organisation_id and name = any (old.named)
    and finding_id = old.id and added_in = old.added_in; insert into finding_names (organisation_id, name, finding_id, added_in)
      select new.organisation_id, unnest(new.named), new.id, new.added_in on conflict do nothing; return null; end $$;
CREATE FUNCTION public.name_tech_stack_items() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ begin 
  insert into searched_names (organisation_id, kind, part, name, sought)
  select * from (select distinct * from (select organisation_id, 'package', ecosystem, package_name, lower(package_name) from new_rows) as named) as named (organisation_id, kind, part, name, sought)
  order by 1, 2, 3, 4 on conflict do nothing; return null; end $$;
CREATE FUNCTION public.names_containing(of_kind text, needle text, max_names integer) RETURNS TABLE(part text, name text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    begin
      return query select known.part, known.name from searched_names as known
        where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and known.kind = of_kind
          and position(needle in known.sought) > 0
        order by known.sought <> needle, position(needle in known.sought) <> 1, length(known.name),
          known.name collate "C", known.part
        limit max_names;
    end $$;
CREATE FUNCTION public.own_change_set() RETURNS bigint
    LANGUAGE sql STABLE
    AS $$ select coalesce(nullif(current_setting('postern.change_set', true), '')::bigint, 0) $$;
CREATE FUNCTION public.own_version() RETURNS bigint
    LANGUAGE sql STABLE
    AS $$ select coalesce(nullif(current_setting('postern.version', true), '')::bigint, own_change_set()) $$;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin raise exception 'the audit log is append-only'; end $$;
CREATE FUNCTION public.remove_project(project text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    begin
      update projects set removed_at = at, alerts_due_after = null, verdicts_due_after = null, news = null
        where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and id = project;
      delete from change_sets where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and project_id = project;
      delete from webhooks where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and project_id = project;
      delete from container_images where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and project_id = project;
      delete from posture_counts where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and project_id = project;
      delete from posture_days where organisation_id = nullif(current_setting('postern.organisation_id', true), '') and project_id = project;
    end $$;
CREATE FUNCTION public.turn(turns date[], at timestamp with time zone) RETURNS date[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
      when next[n - 3] = next[n] then next[:n - 2]
      when n > 64 then next[1:1] || next[4:]
      else next
    end
    from (select next, cardinality(next) as n from
      (select turns || greatest((at at time zone 'UTC')::date, turns[cardinality(turns)]) as next) as turned) as counted
  $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.advisories (
    id text NOT NULL,
    modified timestamp with time zone NOT NULL,
    published timestamp with time zone,
    withdrawn timestamp with time zone,
    summary text NOT NULL,
    cves text[] NOT NULL,
    aliases text[] NOT NULL,
    severity text,
    cvss_version text,
    cvss_score double precision,
    cvss_vector text,
    malicious boolean NOT NULL,
    informational text,
    "references" text[] NOT NULL,
    content_hash bytea NOT NULL,
    details text,
    reference_kinds text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT advisories_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'moderate'::text, 'high'::text, 'critical'::text])))
);
CREATE TABLE public.advisory_packages (
    advisory_id text NOT NULL,
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    affected jsonb NOT NULL,
    symbols text[] NOT NULL
);
CREATE TABLE public.alert_events (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    alert_id text NOT NULL,
    ordinal bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    exact boolean DEFAULT true NOT NULL,
    kind text NOT NULL,
    facts jsonb NOT NULL,
    CONSTRAINT alert_events_kind_check CHECK ((kind = ANY (ARRAY['resolved'::text, 'reopened'::text, 'tier_changed'::text, 'verdict_changed'::text])))
);
ALTER TABLE public.alert_events ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_events_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.alerts (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    vulnerability_id text NOT NULL,
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    advisory_ids text[] NOT NULL,
    cves text[] NOT NULL,
    title text NOT NULL,
    versions text[] NOT NULL,
    safe_version text,
    severity text,
    cvss_version text,
    cvss_score double precision,
    cvss_vector text,
    epss double precision,
    epss_percentile double precision,
    epss_date date,
    kev_added date,
    kev_due date,
    kev_ransomware boolean,
    malicious boolean NOT NULL,
    tier text NOT NULL,
    tier_rank smallint GENERATED ALWAYS AS (
CASE tier
    WHEN 'RED'::text THEN 0
    WHEN 'YELLOW'::text THEN 1
    ELSE 2
END) STORED NOT NULL,
    acknowledged_at timestamp with time zone,
    acknowledged_by text,
    acknowledged_note text,
    first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    resolved_at timestamp with time zone,
    effective_priority double precision,
    verdict_band text,
    usage text,
    turns date[] NOT NULL,
    risk smallint GENERATED ALWAYS AS (
CASE
    WHEN ((resolved_at IS NOT NULL) OR (acknowledged_at IS NOT NULL) OR (verdict_band = 'likely_not_exploitable'::text)) THEN NULL::integer
    WHEN (kev_added IS NOT NULL) THEN 0
    WHEN ((usage = ANY (ARRAY['called'::text, 'imported'::text])) OR (verdict_band = 'likely_exploitable'::text)) THEN 1
    WHEN (tier = 'RED'::text) THEN 2
    ELSE 3
END) STORED,
    risk_score double precision GENERATED ALWAYS AS (
CASE
    WHEN (
    CASE
        WHEN ((resolved_at IS NOT NULL) OR (acknowledged_at IS NOT NULL) OR (verdict_band = 'likely_not_exploitable'::text)) THEN NULL::integer
        WHEN (kev_added IS NOT NULL) THEN 0
        WHEN ((usage = ANY (ARRAY['called'::text, 'imported'::text])) OR (verdict_band = 'likely_exploitable'::text)) THEN 1
        WHEN (tier = 'RED'::text) THEN 2
        ELSE 3
    END = 2) THEN COALESCE(epss, (0.01)::double precision)
    ELSE COALESCE(effective_priority, (
    CASE tier
        WHEN 'RED'::text THEN 60
        WHEN 'YELLOW'::text THEN 30
        ELSE 0
    END)::double precision)
END) STORED,
    probability double precision GENERATED ALWAYS AS (COALESCE(epss, (0.01)::double precision)) STORED,
    severity_rank smallint GENERATED ALWAYS AS (
CASE severity
    WHEN 'critical'::text THEN 0
    WHEN 'high'::text THEN 1
    WHEN 'moderate'::text THEN 2
    WHEN 'medium'::text THEN 2
    WHEN 'low'::text THEN 3
    WHEN 'info'::text THEN 4
    ELSE 5
END) STORED,
    opened_on date GENERATED ALWAYS AS (
CASE
    WHEN ((cardinality(turns) % 2) = 1) THEN turns[cardinality(turns)]
    ELSE NULL::date
END) STORED,
    name text,
    resolution text,
    CONSTRAINT alerts_check CHECK (((resolved_at IS NULL) = ((cardinality(turns) % 2) = 1))),
    CONSTRAINT alerts_resolution_check CHECK ((resolution = ANY (ARRAY['package_removed'::text, 'upgraded'::text, 'advisory_withdrawn'::text, 'no_longer_affected'::text]))),
    CONSTRAINT alerts_resolved_check CHECK (((resolution IS NULL) OR (resolved_at IS NOT NULL))),
    CONSTRAINT alerts_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'moderate'::text, 'high'::text, 'critical'::text]))),
    CONSTRAINT alerts_tier_check CHECK ((tier = ANY (ARRAY['RED'::text, 'YELLOW'::text, 'GREEN'::text])))
);
CREATE TABLE public.api_keys (
    organisation_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    key_hash bytea NOT NULL,
    last_four text NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    expires_at timestamp with time zone,
    project_ids text[],
    CONSTRAINT api_keys_scope_check CHECK ((scope = ANY (ARRAY['ReadOnly'::text, 'ReadWrite'::text])))
);
CREATE TABLE public.audit_log (
    organisation_id text NOT NULL,
    id text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_kind text NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    target_kind text NOT NULL,
    target_id text NOT NULL,
    before jsonb,
    after jsonb,
    ip text,
    request_id text,
    project_id text,
    project_name text,
    vulnerability_id text,
    package text,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'api_key'::text, 'operator'::text, 'system'::text])))
);
CREATE TABLE public.change_sets (
    organisation_id text NOT NULL,
    id bigint NOT NULL,
    project_id text NOT NULL,
    state text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    upload_id text,
    CONSTRAINT change_sets_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'open'::text, 'undoing'::text, 'landed'::text])))
);
ALTER TABLE public.change_sets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_sets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.container_images (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    ref text NOT NULL,
    digest text,
    os text,
    monitored boolean DEFAULT false NOT NULL,
    runtime text,
    layers text[] NOT NULL,
    labels jsonb NOT NULL,
    base_layers integer,
    stood_on boolean DEFAULT false NOT NULL,
    dockerfile_path text,
    dockerfile text,
    scanned_at timestamp with time zone NOT NULL,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    evaluated_to text
);
CREATE TABLE public.dast_targets (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    url text NOT NULL,
    name text NOT NULL,
    environment text,
    last_scanned_at timestamp with time zone
);
CREATE TABLE public.epss (
    cve text NOT NULL,
    probability double precision NOT NULL,
    percentile double precision NOT NULL,
    scored_on date NOT NULL,
    model text NOT NULL
);
CREATE TABLE public.feeds (
    name text NOT NULL,
    version text,
    published_at timestamp with time zone,
    loaded_at timestamp with time zone NOT NULL,
    records integer NOT NULL,
    content_hash bytea,
    etag text,
    covers text[] DEFAULT '{}'::text[] NOT NULL,
    named text[] DEFAULT '{}'::text[] NOT NULL,
    unread integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.finding_names (
    organisation_id text NOT NULL,
    name text NOT NULL,
    finding_id text NOT NULL,
    added_in bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.findings (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    domain text NOT NULL,
    source text NOT NULL,
    tool text NOT NULL,
    identity bytea NOT NULL,
    rule_id text NOT NULL,
    title text NOT NULL,
    severity text NOT NULL,
    tier text NOT NULL,
    tier_rank smallint GENERATED ALWAYS AS (
CASE tier
    WHEN 'RED'::text THEN 0
    WHEN 'YELLOW'::text THEN 1
    ELSE 2
END) STORED NOT NULL,
    state text NOT NULL,
    state_rank smallint GENERATED ALWAYS AS (
CASE state
    WHEN 'open'::text THEN 0
    WHEN 'suppressed'::text THEN 1
    ELSE 2
END) STORED NOT NULL,
    modes text[] DEFAULT '{}'::text[] NOT NULL,
    cve text,
    epss double precision,
    kev_added date,
    details jsonb NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    fixed_at timestamp with time zone,
    turns date[] NOT NULL,
    risk smallint GENERATED ALWAYS AS (
CASE
    WHEN (state <> 'open'::text) THEN NULL::integer
    WHEN (kev_added IS NOT NULL) THEN 0
    WHEN ((domain = 'code'::text) AND (tier = ANY (ARRAY['RED'::text, 'YELLOW'::text])) AND (details @> '{"in_production": true}'::jsonb)) THEN 1
    WHEN (tier = 'RED'::text) THEN 2
    ELSE 3
END) STORED,
    risk_score double precision GENERATED ALWAYS AS (
CASE
    WHEN (
    CASE
        WHEN (state <> 'open'::text) THEN NULL::integer
        WHEN (kev_added IS NOT NULL) THEN 0
        WHEN ((domain = 'code'::text) AND (tier = ANY (ARRAY['RED'::text, 'YELLOW'::text])) AND (details @> '{"in_production": true}'::jsonb)) THEN 1
        WHEN (tier = 'RED'::text) THEN 2
        ELSE 3
    END = 2) THEN COALESCE(epss, (0.01)::double precision)
    ELSE (
    CASE tier
        WHEN 'RED'::text THEN 60
        WHEN 'YELLOW'::text THEN 30
        ELSE 0
    END)::double precision
END) STORED,
    probability double precision GENERATED ALWAYS AS (COALESCE(epss, (0.01)::double precision)) STORED,
    severity_rank smallint GENERATED ALWAYS AS (
CASE severity
    WHEN 'critical'::text THEN 0
    WHEN 'high'::text THEN 1
    WHEN 'moderate'::text THEN 2
    WHEN 'medium'::text THEN 2
    WHEN 'low'::text THEN 3
    WHEN 'info'::text THEN 4
    ELSE 5
END) STORED,
    opened_on date GENERATED ALWAYS AS (
CASE
    WHEN ((cardinality(turns) % 2) = 1) THEN turns[cardinality(turns)]
    ELSE NULL::date
END) STORED,
    part text DEFAULT ''::text NOT NULL,
    sightings jsonb DEFAULT '[]'::jsonb NOT NULL,
    reports jsonb,
    sort_name text GENERATED ALWAYS AS ((((("left"(rule_id, 100) || ' '::text) || "left"(COALESCE((details #>> '{package,name}'::text[]), (details ->> 'file'::text), title), 100)) || ' '::text) || "left"(COALESCE((details ->> 'path'::text), ''::text), 100))) STORED COLLATE pg_catalog."C",
    named text[] DEFAULT '{}'::text[] NOT NULL,
    facts_hash bytea,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT findings_check CHECK (((state = 'open'::text) = ((cardinality(turns) % 2) = 1))),
    CONSTRAINT findings_domain_check CHECK ((domain = ANY (ARRAY['code'::text, 'running_app'::text, 'containers'::text]))),
    CONSTRAINT findings_severity_check CHECK ((severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'info'::text]))),
    CONSTRAINT findings_state_check CHECK ((state = ANY (ARRAY['open'::text, 'fixed'::text, 'suppressed'::text]))),
    CONSTRAINT findings_tier_check CHECK ((tier = ANY (ARRAY['RED'::text, 'YELLOW'::text, 'GREEN'::text])))
)
WITH (fillfactor='100');
ALTER TABLE ONLY public.findings ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN modes SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN details SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN turns SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN sightings SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN reports SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN named SET STATISTICS 0;
ALTER TABLE ONLY public.findings ALTER COLUMN facts_hash SET STATISTICS 0;
CREATE TABLE public.idempotency_keys (
    organisation_id text NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea NOT NULL,
    status integer NOT NULL,
    response jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.invites (
    organisation_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT invites_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);
CREATE TABLE public.kev (
    cve text NOT NULL,
    date_added date NOT NULL,
    due_date date,
    ransomware boolean NOT NULL
);
CREATE TABLE public.known_addresses (
    organisation_id text NOT NULL,
    member_id text NOT NULL,
    address text NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.last_reports (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    domain text NOT NULL,
    source text NOT NULL,
    tool text NOT NULL,
    scope text[] NOT NULL,
    reported_at timestamp with time zone NOT NULL
);
CREATE TABLE public.members (
    organisation_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone,
    CONSTRAINT members_email_check CHECK ((email = lower(email))),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);
CREATE TABLE public.newest_reports (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    domain text NOT NULL,
    source text NOT NULL,
    tool text NOT NULL,
    scope text[] NOT NULL,
    part text NOT NULL,
    reported_at timestamp with time zone NOT NULL
);
CREATE TABLE public.organisations (
    id text NOT NULL,
    name text NOT NULL,
    contact_email text,
    plan text NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    history_since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organisations_plan_check CHECK ((plan = ANY (ARRAY['Free'::text, 'Business'::text, 'Enterprise'::text])))
);
CREATE TABLE public.package_health (
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    deprecated text,
    unmaintained_since date,
    replacement text,
    source text NOT NULL
);
CREATE TABLE public.password_resets (
    organisation_id text NOT NULL,
    member_id text NOT NULL,
    id text NOT NULL,
    token_hash bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.posture_counts (
    organisation_id text NOT NULL,
    domain text NOT NULL,
    source text NOT NULL,
    project_id text NOT NULL,
    state text NOT NULL,
    tier text NOT NULL,
    severity text NOT NULL,
    band text NOT NULL,
    count bigint NOT NULL,
    change_set bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.posture_days (
    organisation_id text NOT NULL,
    domain text NOT NULL,
    day date NOT NULL,
    project_id text NOT NULL,
    tier text NOT NULL,
    appeared bigint NOT NULL,
    reopened bigint NOT NULL,
    resolved bigint NOT NULL,
    net bigint NOT NULL,
    change_set bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.projects (
    organisation_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    description text,
    exposure text NOT NULL,
    repo text,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    verdicts_due_after text,
    removed_at timestamp with time zone,
    alerts_due_after text,
    news jsonb,
    CONSTRAINT projects_exposure_check CHECK ((exposure = ANY (ARRAY['internet'::text, 'internal'::text, 'isolated'::text, 'unknown'::text])))
);
CREATE TABLE public.registry_lookups (
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    version text NOT NULL,
    found text NOT NULL,
    looked_up_at timestamp with time zone NOT NULL
);
CREATE TABLE public.reported_vulnerabilities (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    source text NOT NULL,
    vulnerability_id text NOT NULL,
    aliases text[] NOT NULL,
    affects text[] NOT NULL,
    packages text[] NOT NULL,
    severity text,
    ratings jsonb NOT NULL,
    description text,
    recommendation text,
    analysis_state text,
    analysis_detail text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT reported_vulnerabilities_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'moderate'::text, 'high'::text, 'critical'::text])))
);
CREATE TABLE public.scan_jobs (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    domain text NOT NULL,
    hosted boolean DEFAULT false NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    mode text,
    tool text,
    runner text,
    error text,
    content_hash bytea,
    red integer DEFAULT 0 NOT NULL,
    yellow integer DEFAULT 0 NOT NULL,
    green integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT scan_jobs_domain_check CHECK ((domain = ANY (ARRAY['code'::text, 'running_app'::text, 'containers'::text]))),
    CONSTRAINT scan_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE TABLE public.searched_names (
    organisation_id text NOT NULL,
    kind text NOT NULL,
    part text NOT NULL,
    name text NOT NULL,
    sought text NOT NULL,
    CONSTRAINT searched_names_kind_check CHECK ((kind = ANY (ARRAY['package'::text, 'rule'::text, 'vulnerability'::text])))
);
CREATE TABLE public.service_keys (
    purpose text NOT NULL,
    key text NOT NULL,
    wrapped_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sessions (
    organisation_id text NOT NULL,
    id text NOT NULL,
    member_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip text
);
CREATE TABLE public.stack_counts (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    change_set bigint DEFAULT 0 NOT NULL,
    packages bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL
);
CREATE TABLE public.stack_sources (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    source text NOT NULL,
    direct_known text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.symbol_records (
    record_id text NOT NULL,
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    aliases text[] NOT NULL,
    symbols text[] NOT NULL,
    can_exclude boolean NOT NULL,
    feed text NOT NULL,
    content_hash bytea NOT NULL
);
CREATE TABLE public.tech_stack_items (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    source text NOT NULL,
    ecosystem text NOT NULL,
    name text NOT NULL,
    package_name text NOT NULL,
    version text NOT NULL,
    scope text NOT NULL,
    direct boolean,
    deprecated text,
    revision integer DEFAULT 1 NOT NULL,
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    dependencies text[] DEFAULT '{}'::text[] NOT NULL,
    dependencies_known text,
    licences jsonb DEFAULT '[]'::jsonb NOT NULL,
    hashes jsonb DEFAULT '[]'::jsonb NOT NULL,
    supplier text,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT tech_stack_items_scope_check CHECK ((scope = ANY (ARRAY['runtime'::text, 'development'::text, 'optional'::text])))
);
CREATE TABLE public.unmatched_components (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    source text NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    purl text,
    component_group text,
    name text NOT NULL,
    version text,
    scope text NOT NULL,
    direct boolean,
    dependencies text[] DEFAULT '{}'::text[] NOT NULL,
    dependencies_known text,
    licences jsonb DEFAULT '[]'::jsonb NOT NULL,
    hashes jsonb DEFAULT '[]'::jsonb NOT NULL,
    supplier text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT unmatched_components_scope_check CHECK ((scope = ANY (ARRAY['runtime'::text, 'development'::text, 'optional'::text])))
);
CREATE TABLE public.unread_records (
    feed text NOT NULL,
    place integer NOT NULL,
    at text NOT NULL,
    field text NOT NULL,
    problem text NOT NULL,
    packages text[]
);
CREATE TABLE public.uploads (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    procedure text NOT NULL,
    state text NOT NULL,
    phase text NOT NULL,
    done integer NOT NULL,
    steps integer NOT NULL,
    answer jsonb,
    problem jsonb,
    key_hash bytea,
    request_hash bytea,
    instance text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT uploads_phase_check CHECK ((phase = ANY (ARRAY['waiting'::text, 'reading'::text, 'checking'::text, 'writing'::text]))),
    CONSTRAINT uploads_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE TABLE public.usage_dependencies (
    organisation_id text NOT NULL,
    project_id text NOT NULL,
    ecosystem text NOT NULL,
    package_name text NOT NULL,
    version text NOT NULL,
    usage text NOT NULL,
    scope text NOT NULL,
    symbols text[] NOT NULL,
    sites jsonb NOT NULL,
    production_sites integer NOT NULL,
    all_sites integer NOT NULL,
    paths jsonb NOT NULL,
    confidence text,
    gaps text[] DEFAULT ARRAY['the usage report was made before reports said what their search missed'::text],
    chain jsonb DEFAULT '[]'::jsonb NOT NULL,
    symbols_complete boolean DEFAULT false NOT NULL,
    subpaths text[],
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_dependencies_confidence_check CHECK ((confidence = ANY (ARRAY['high'::text, 'medium'::text, 'low'::text]))),
    CONSTRAINT usage_dependencies_scope_check CHECK ((scope = ANY (ARRAY['runtime'::text, 'development'::text, 'optional'::text])))
);
CREATE TABLE public.usage_reports (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    ordinal bigint NOT NULL,
    content_hash bytea NOT NULL,
    analyser text NOT NULL,
    generated_at timestamp with time zone NOT NULL,
    complete boolean NOT NULL,
    report jsonb NOT NULL,
    uploaded_by text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.usage_reports ALTER COLUMN report SET STORAGE EXTERNAL;
ALTER TABLE public.usage_reports ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.usage_reports_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.verdicts (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    alert_id text NOT NULL,
    machine_score double precision NOT NULL,
    machine_band text NOT NULL,
    evidence jsonb NOT NULL,
    evidence_hash bytea NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    override_verdict text,
    override_reason text,
    override_by text,
    override_at timestamp with time zone,
    override_expires_at timestamp with time zone,
    override_signature bytea,
    revision integer DEFAULT 1 NOT NULL,
    formula text DEFAULT 'ep-1'::text NOT NULL,
    CONSTRAINT verdicts_override_verdict_check CHECK ((override_verdict = ANY (ARRAY['NotExploitable'::text, 'Exploitable'::text])))
);
CREATE TABLE public.vex_documents (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    format text NOT NULL,
    name text,
    version text,
    author text,
    issued_at timestamp with time zone,
    content_hash bytea NOT NULL,
    uploaded_by text NOT NULL,
    uploaded_at timestamp with time zone DEFAULT now() NOT NULL,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.vex_proposals (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    document_id text NOT NULL,
    verdict_id text NOT NULL,
    verdict text NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    status text NOT NULL,
    product text NOT NULL,
    justification text,
    detail text,
    pointer text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by text,
    decided_at timestamp with time zone,
    decision_reason text,
    added_in bigint DEFAULT public.own_version() NOT NULL,
    removed_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT vex_proposals_check CHECK (((state = ANY (ARRAY['accepted'::text, 'rejected'::text])) = ((decided_by IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT vex_proposals_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'superseded'::text]))),
    CONSTRAINT vex_proposals_verdict_check CHECK ((verdict = ANY (ARRAY['NotExploitable'::text, 'Exploitable'::text])))
);
CREATE TABLE public.webhook_deliveries (
    organisation_id text NOT NULL,
    id text NOT NULL,
    webhook_id text NOT NULL,
    event text NOT NULL,
    payload jsonb NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempted_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    delivered_at timestamp with time zone,
    last_error text,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'retrying'::text, 'delivered'::text, 'failed'::text])))
);
CREATE TABLE public.webhooks (
    organisation_id text NOT NULL,
    id text NOT NULL,
    project_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    secret text,
    events text[] NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    origin text DEFAULT ''::text NOT NULL
);
INSERT INTO public.alert_events OVERRIDING SYSTEM VALUE VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 1, '2100-01-01 00:00:00+00', true, 'reopened', '{}');
INSERT INTO public.alerts VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'CVE-2024-0001', 'npm', 'qs', '{}', '{}', 't', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 'RED', DEFAULT, NULL, NULL, NULL, '2026-11-23 17:37:46.305243+00', NULL, NULL, NULL, NULL, '{2100-01-01}', DEFAULT, DEFAULT, DEFAULT, DEFAULT, DEFAULT, NULL, NULL);
INSERT INTO public.api_keys VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'ci', 'ReadOnly', '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'abcd', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00', NULL, NULL, NULL, NULL);
INSERT INTO public.audit_log VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00', 'system', '-', '-', 'a.b', 'a', '-', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.change_sets OVERRIDING SYSTEM VALUE VALUES ('org_nwcoxf3c7foigb34muna', 1, 'row_jnkz2bfft4dawmrpdjin', 'landed', '2100-01-01 00:00:00+00', NULL);
INSERT INTO public.container_images VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'docker.io/library/a:1', NULL, NULL, false, NULL, '{}', '{}', NULL, false, NULL, NULL, '2100-01-01 00:00:00+00', 0, 0, NULL);
INSERT INTO public.dast_targets VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'https://a.example/', 'A', NULL, NULL);
INSERT INTO public.finding_names VALUES ('org_nwcoxf3c7foigb34muna', 'CVE-2024-0001', 'row_jnkz2bfft4dawmrpdjin', 0);
INSERT INTO public.findings VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'code', 'a', 'a', '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'a', 'A', 'low', 'GREEN', DEFAULT, 'open', DEFAULT, '{}', NULL, NULL, NULL, '{}', '2100-01-01 00:00:00+00', '2100-01-01 00:00:00+00', NULL, '{2100-01-01}', DEFAULT, DEFAULT, DEFAULT, DEFAULT, DEFAULT, '', '[]', NULL, DEFAULT, '{}', NULL, 0, 0);
INSERT INTO public.idempotency_keys VALUES ('org_nwcoxf3c7foigb34muna', '\x6f72675f6e77636f7866336337666f69676233346d756e61', '\x6f72675f6e77636f7866336337666f69676233346d756e61', 200, NULL, '2026-11-23 17:37:46.305243+00');
INSERT INTO public.invites VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'b@example.com', 'member', '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00', '2100-01-01 00:00:00+00', NULL, NULL);
INSERT INTO public.known_addresses VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', '192.0.2.1', '2026-11-23 17:37:46.305243+00');
INSERT INTO public.kysely_migration VALUES ('0001-first', '2026-11-23T17:37:45.404Z');
INSERT INTO public.kysely_migration VALUES ('0002-verdicts', '2026-11-23T17:37:45.487Z');
INSERT INTO public.kysely_migration VALUES ('0003-findings', '2026-11-23T17:37:45.607Z');
INSERT INTO public.kysely_migration VALUES ('0004-webhooks', '2026-11-23T17:37:45.628Z');
INSERT INTO public.kysely_migration VALUES ('0005-posture', '2026-11-23T17:37:45.840Z');
INSERT INTO public.kysely_migration VALUES ('0006-webhook-kinds', '2026-11-23T17:37:45.841Z');
INSERT INTO public.kysely_migration VALUES ('0007-coverage', '2026-11-23T17:37:45.848Z');
INSERT INTO public.kysely_migration VALUES ('0008-advisories', '2026-11-23T17:37:45.896Z');
INSERT INTO public.kysely_migration VALUES ('0009-seen-by', '2026-11-23T17:37:45.936Z');
INSERT INTO public.kysely_migration VALUES ('0010-stack-graph', '2026-11-23T17:37:45.953Z');
INSERT INTO public.kysely_migration VALUES ('0011-vex', '2026-11-23T17:37:45.982Z');
INSERT INTO public.kysely_migration VALUES ('0012-named-cves', '2026-11-23T17:37:45.999Z');
INSERT INTO public.kysely_migration VALUES ('0013-usage-classes', '2026-11-23T17:37:46.006Z');
INSERT INTO public.kysely_migration VALUES ('0014-change-sets', '2026-11-23T17:37:46.094Z');
INSERT INTO public.kysely_migration VALUES ('0015-uploads', '2026-11-23T17:37:46.100Z');
INSERT INTO public.kysely_migration VALUES ('0016-sign-in', '2026-11-23T17:37:46.131Z');
INSERT INTO public.kysely_migration VALUES ('0017-assessments', '2026-11-23T17:37:46.134Z');
INSERT INTO public.kysely_migration VALUES ('0018-webhook-origins', '2026-11-23T17:37:46.136Z');
INSERT INTO public.kysely_migration VALUES ('0019-dense-findings', '2026-11-23T17:37:46.141Z');
INSERT INTO public.kysely_migration VALUES ('0020-usage-landings', '2026-11-23T17:37:46.148Z');
INSERT INTO public.kysely_migration VALUES ('0021-sets-of-uploads', '2026-11-23T17:37:46.149Z');
INSERT INTO public.kysely_migration VALUES ('0022-removed-projects', '2026-11-23T17:37:46.156Z');
INSERT INTO public.kysely_migration VALUES ('0023-vex-landings', '2026-11-23T17:37:46.166Z');
INSERT INTO public.kysely_migration VALUES ('0024-evaluated-images', '2026-11-23T17:37:46.169Z');
INSERT INTO public.kysely_migration VALUES ('0025-lists-of-all', '2026-11-23T17:37:46.188Z');
INSERT INTO public.kysely_migration VALUES ('0026-search', '2026-11-23T17:37:46.211Z');
INSERT INTO public.kysely_migration VALUES ('0027-stack-counts', '2026-11-23T17:37:46.221Z');
INSERT INTO public.kysely_migration VALUES ('0028-known-exploited', '2026-11-23T17:37:46.227Z');
INSERT INTO public.kysely_migration VALUES ('0029-alert-filters', '2026-11-23T17:37:46.241Z');
INSERT INTO public.kysely_migration VALUES ('0030-audit-targets', '2026-11-23T17:37:46.249Z');
INSERT INTO public.kysely_migration VALUES ('0031-alert-history', '2026-11-23T17:37:46.262Z');
INSERT INTO public.kysely_migration VALUES ('0032-advisory-texts', '2026-11-23T17:37:46.265Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.last_reports VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'code', 'a', 'semgrep', '{}', '2100-01-01 00:00:00+00');
INSERT INTO public.members VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'org_nwcoxf3c7foigb34muna@example.com', 'A', 'admin', '-', '2026-11-23 17:37:46.305243+00', NULL);
INSERT INTO public.newest_reports VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'containers', 'a', 'trivy', '{image}', 'os', '2100-01-01 00:00:00+00');
INSERT INTO public.organisations VALUES ('org_nwcoxf3c7foigb34muna', 'Acme', NULL, 'Free', 1, '2026-11-23 17:37:46.305243+00', '2026-11-23 17:37:46.305243+00', '2026-11-23 17:37:46.305243+00');
INSERT INTO public.password_resets VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00', '2100-01-01 00:00:00+00');
INSERT INTO public.posture_counts VALUES ('org_nwcoxf3c7foigb34muna', 'dependencies', '', 'row_jnkz2bfft4dawmrpdjin', 'open', 'RED', 'unknown', 'unanalyzed', 1, 0);
INSERT INTO public.posture_counts VALUES ('org_nwcoxf3c7foigb34muna', 'code', 'a', 'row_jnkz2bfft4dawmrpdjin', 'open', 'GREEN', 'low', '', 1, 0);
INSERT INTO public.posture_counts VALUES ('org_nwcoxf3c7foigb34muna', 'code', '', 'row_jnkz2bfft4dawmrpdjin', 'open', 'GREEN', 'low', '', 1, 0);
INSERT INTO public.posture_counts VALUES ('org_nwcoxf3c7foigb34muna', 'code', '', 'row_jnkz2bfft4dawmrpdjin', 'fixed', 'RED', 'low', '', 1, 0);
INSERT INTO public.posture_days VALUES ('org_nwcoxf3c7foigb34muna', 'dependencies', '2100-01-01', 'row_jnkz2bfft4dawmrpdjin', 'RED', 1, 0, 0, 1, 0);
INSERT INTO public.posture_days VALUES ('org_nwcoxf3c7foigb34muna', 'code', '2100-01-01', 'row_jnkz2bfft4dawmrpdjin', 'GREEN', 1, 0, 0, 1, 0);
INSERT INTO public.posture_days VALUES ('org_nwcoxf3c7foigb34muna', 'code', '2024-01-01', 'row_jnkz2bfft4dawmrpdjin', 'RED', 1, 0, 0, 1, 0);
INSERT INTO public.projects VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'Shop', NULL, 'internet', NULL, 1, '2026-11-23 17:37:46.305243+00', '2026-11-23 17:37:46.305243+00', NULL, NULL, NULL, NULL);
INSERT INTO public.reported_vulnerabilities VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'sbom', 'CVE-2024-0001', '{}', '{}', '{}', NULL, '[]', NULL, NULL, NULL, NULL, '2100-01-01 00:00:00+00', 0, 0);
INSERT INTO public.scan_jobs VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'code', false, 'done', 'a', NULL, NULL, NULL, NULL, NULL, 0, 0, 0, '2100-01-01 00:00:00+00', NULL, NULL);
INSERT INTO public.searched_names VALUES ('org_nwcoxf3c7foigb34muna', 'package', 'npm', 'qs', 'qs');
INSERT INTO public.searched_names VALUES ('org_nwcoxf3c7foigb34muna', 'vulnerability', 'CVE-2024-0001', 'CVE-2024-0001', 'cve-2024-0001');
INSERT INTO public.searched_names VALUES ('org_nwcoxf3c7foigb34muna', 'rule', 'code', 'row_jnkz2bfft4dawmrpdjin', 'a');
INSERT INTO public.searched_names VALUES ('org_nwcoxf3c7foigb34muna', 'rule', 'code', 'a', 'a
a');
INSERT INTO public.sessions VALUES ('org_nwcoxf3c7foigb34muna', 'ses_g5mnnqkdsrz4w62a3qz4', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00', '2100-01-01 00:00:00+00', NULL);
INSERT INTO public.stack_counts VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 0, 1, '2026-11-23 17:37:46.305243+00', '2026-11-23 17:37:46.305243+00');
INSERT INTO public.stack_counts VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 1, 1, '2100-01-01 00:00:00+00', '2100-01-01 00:00:00+00');
INSERT INTO public.stack_sources VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'sbom', NULL, '2100-01-01 00:00:00+00');
INSERT INTO public.tech_stack_items VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'manual', 'npm', 'qs', 'qs', '1.0.0', 'runtime', NULL, NULL, 1, '2026-11-23 17:37:46.305243+00', '2026-11-23 17:37:46.305243+00', '{}', NULL, '[]', '[]', NULL, 0, 0);
INSERT INTO public.unmatched_components VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'sbom', 'pkg:deb/debian/bash@5', 'library', NULL, NULL, 'bash', NULL, 'runtime', NULL, '{}', NULL, '[]', '[]', NULL, '2100-01-01 00:00:00+00', 0, 0);
INSERT INTO public.uploads VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'sast.uploadReport', 'done', 'writing', 3, 3, NULL, NULL, NULL, NULL, '-', '2100-01-01 00:00:00+00', '2100-01-01 00:00:00+00', NULL, '2100-01-01 00:00:00+00');
INSERT INTO public.usage_dependencies VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'npm', 'qs', '1.0.0', 'imported', 'runtime', '{}', '[]', 0, 0, '[]', NULL, '{"the usage report was made before reports said what their search missed"}', '[]', false, NULL, 0, 0);
INSERT INTO public.usage_reports OVERRIDING SYSTEM VALUE VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 1, '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'x', '2100-01-01 00:00:00+00', true, '{}', 'row_jnkz2bfft4dawmrpdjin', '2026-11-23 17:37:46.305243+00');
INSERT INTO public.verdicts VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 1, 'needs_review', '{}', '\x6f72675f6e77636f7866336337666f69676233346d756e61', '2100-01-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, 1, 'ep-1');
INSERT INTO public.vex_documents VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'openvex', NULL, NULL, NULL, NULL, '\x6f72675f6e77636f7866336337666f69676233346d756e61', 'row_jnkz2bfft4dawmrpdjin', '2100-01-01 00:00:00+00', 0, 0);
INSERT INTO public.vex_proposals VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'Exploitable', 'pending', 'a', 'affected', 'a', NULL, NULL, '/a', '2100-01-01 00:00:00+00', NULL, NULL, NULL, 0, 0);
INSERT INTO public.webhook_deliveries VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'test', '{}', 'queued', 0, '2100-01-01 00:00:00+00', NULL, NULL, NULL, NULL);
INSERT INTO public.webhooks VALUES ('org_nwcoxf3c7foigb34muna', 'row_jnkz2bfft4dawmrpdjin', 'row_jnkz2bfft4dawmrpdjin', 'generic', 'A', 'https://a.example/', NULL, '{}', true, 1, '2100-01-01 00:00:00+00', '');
SELECT pg_catalog.setval('public.alert_events_ordinal_seq', 1, true);
SELECT pg_catalog.setval('public.change_sets_id_seq', 1, true);
SELECT pg_catalog.setval('public.usage_reports_ordinal_seq', 1, true);
ALTER TABLE ONLY public.advisories
    ADD CONSTRAINT advisories_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.advisory_packages
    ADD CONSTRAINT advisory_packages_pkey PRIMARY KEY (ecosystem, package_name, advisory_id);
ALTER TABLE ONLY public.alert_events
    ADD CONSTRAINT alert_events_pkey PRIMARY KEY (organisation_id, alert_id, ordinal);
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_once UNIQUE (organisation_id, project_id, ecosystem, package_name, vulnerability_id) INCLUDE (name);
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.change_sets
    ADD CONSTRAINT change_sets_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.container_images
    ADD CONSTRAINT container_images_pkey PRIMARY KEY (organisation_id, id, added_in);
ALTER TABLE ONLY public.dast_targets
    ADD CONSTRAINT dast_targets_organisation_id_project_id_url_key UNIQUE (organisation_id, project_id, url);
ALTER TABLE ONLY public.dast_targets
    ADD CONSTRAINT dast_targets_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.epss
    ADD CONSTRAINT epss_pkey PRIMARY KEY (cve);
ALTER TABLE ONLY public.feeds
    ADD CONSTRAINT feeds_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.finding_names
    ADD CONSTRAINT finding_names_pkey PRIMARY KEY (organisation_id, name, finding_id, added_in);
ALTER TABLE ONLY public.findings
    ADD CONSTRAINT findings_pkey PRIMARY KEY (organisation_id, id, added_in);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organisation_id, key_hash);
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.kev
    ADD CONSTRAINT kev_pkey PRIMARY KEY (cve);
ALTER TABLE ONLY public.known_addresses
    ADD CONSTRAINT known_addresses_pkey PRIMARY KEY (organisation_id, member_id, address);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.last_reports
    ADD CONSTRAINT last_reports_pkey PRIMARY KEY (organisation_id, project_id, domain, source, tool, scope);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_email_key UNIQUE (email);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.newest_reports
    ADD CONSTRAINT newest_reports_pkey PRIMARY KEY (organisation_id, project_id, domain, source, tool, scope, part);
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.package_health
    ADD CONSTRAINT package_health_pkey PRIMARY KEY (ecosystem, package_name);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (organisation_id, member_id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.posture_counts
    ADD CONSTRAINT posture_counts_pkey PRIMARY KEY (organisation_id, domain, source, project_id, state, tier, severity, band, change_set);
ALTER TABLE ONLY public.posture_days
    ADD CONSTRAINT posture_days_pkey PRIMARY KEY (organisation_id, domain, day, project_id, tier, change_set);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.registry_lookups
    ADD CONSTRAINT registry_lookups_pkey PRIMARY KEY (ecosystem, package_name, version);
ALTER TABLE ONLY public.reported_vulnerabilities
    ADD CONSTRAINT reported_vulnerabilities_pkey PRIMARY KEY (organisation_id, id, added_in);
ALTER TABLE ONLY public.scan_jobs
    ADD CONSTRAINT scan_jobs_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.searched_names
    ADD CONSTRAINT searched_names_pkey PRIMARY KEY (organisation_id, kind, part, name);
ALTER TABLE ONLY public.service_keys
    ADD CONSTRAINT service_keys_pkey PRIMARY KEY (purpose);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_id_key UNIQUE (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.stack_counts
    ADD CONSTRAINT stack_counts_pkey PRIMARY KEY (organisation_id, project_id, change_set);
ALTER TABLE ONLY public.stack_sources
    ADD CONSTRAINT stack_sources_pkey PRIMARY KEY (organisation_id, project_id, source);
ALTER TABLE ONLY public.symbol_records
    ADD CONSTRAINT symbol_records_pkey PRIMARY KEY (ecosystem, package_name, record_id);
ALTER TABLE ONLY public.tech_stack_items
    ADD CONSTRAINT tech_stack_items_pkey PRIMARY KEY (organisation_id, id, added_in);
ALTER TABLE ONLY public.unmatched_components
    ADD CONSTRAINT unmatched_components_pkey PRIMARY KEY (organisation_id, project_id, source, key, added_in);
ALTER TABLE ONLY public.unread_records
    ADD CONSTRAINT unread_records_pkey PRIMARY KEY (feed, place);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.usage_dependencies
    ADD CONSTRAINT usage_dependencies_pkey PRIMARY KEY (organisation_id, project_id, ecosystem, package_name, version, added_in);
ALTER TABLE ONLY public.usage_reports
    ADD CONSTRAINT usage_reports_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_organisation_id_alert_id_key UNIQUE (organisation_id, alert_id);
ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.vex_documents
    ADD CONSTRAINT vex_documents_organisation_id_project_id_content_hash_key UNIQUE (organisation_id, project_id, content_hash);
ALTER TABLE ONLY public.vex_documents
    ADD CONSTRAINT vex_documents_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.vex_proposals
    ADD CONSTRAINT vex_proposals_organisation_id_document_id_verdict_id_verdic_key UNIQUE (organisation_id, document_id, verdict_id, verdict);
ALTER TABLE ONLY public.vex_proposals
    ADD CONSTRAINT vex_proposals_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organisation_id, id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (organisation_id, id);
CREATE INDEX advisories_by_alias ON public.advisories USING gin (aliases);
CREATE INDEX advisories_by_cve ON public.advisories USING gin (cves);
CREATE INDEX advisory_packages_by_advisory ON public.advisory_packages USING btree (advisory_id);
CREATE INDEX advisory_packages_with_capitals ON public.advisory_packages USING btree (lower(package_name)) WHERE ((ecosystem = 'npm'::text) AND (package_name <> lower(package_name)));
CREATE INDEX alert_events_by_age ON public.alert_events USING btree (at);
CREATE INDEX alerts_acknowledged ON public.alerts USING btree (organisation_id, project_id, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C") WHERE (acknowledged_at IS NOT NULL);
CREATE INDEX alerts_by_cve ON public.alerts USING gin (cves);
CREATE INDEX alerts_by_risk ON public.alerts USING btree (organisation_id, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", id) WHERE (risk < 3);
CREATE INDEX alerts_by_risk_of_project ON public.alerts USING btree (organisation_id, project_id, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", id) WHERE (risk < 3);
CREATE INDEX alerts_by_usage ON public.alerts USING btree (organisation_id, usage, project_id) WHERE ((resolved_at IS NULL) AND (usage IS NOT NULL));
CREATE INDEX alerts_by_vulnerability ON public.alerts USING btree (organisation_id, vulnerability_id);
CREATE INDEX alerts_known_exploited ON public.alerts USING btree (organisation_id, project_id, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C") WHERE (kev_added IS NOT NULL);
CREATE INDEX alerts_new ON public.alerts USING btree (organisation_id, opened_on, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", id) WHERE (risk IS NOT NULL);
CREATE INDEX alerts_new_of_project ON public.alerts USING btree (organisation_id, project_id, opened_on, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", id) WHERE (risk IS NOT NULL);
CREATE INDEX alerts_of_all ON public.alerts USING btree (organisation_id, ((resolved_at IS NOT NULL)), COALESCE(effective_priority, ('-1'::integer)::double precision) DESC, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C", id, usage);
CREATE INDEX alerts_of_all_acknowledged ON public.alerts USING btree (organisation_id, ((resolved_at IS NOT NULL)), COALESCE(effective_priority, ('-1'::integer)::double precision) DESC, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C", id) WHERE (acknowledged_at IS NOT NULL);
CREATE INDEX alerts_of_all_of_band ON public.alerts USING btree (organisation_id, verdict_band, ((resolved_at IS NOT NULL)), COALESCE(effective_priority, ('-1'::integer)::double precision) DESC, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C", id);
CREATE INDEX alerts_of_all_of_tier ON public.alerts USING btree (organisation_id, tier_rank, ((resolved_at IS NOT NULL)), COALESCE(effective_priority, ('-1'::integer)::double precision) DESC, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C", id);
CREATE INDEX alerts_of_band ON public.alerts USING btree (organisation_id, project_id, verdict_band, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C");
CREATE INDEX alerts_of_tier ON public.alerts USING btree (organisation_id, project_id, tier_rank, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C");
CREATE INDEX alerts_of_usage ON public.alerts USING btree (organisation_id, project_id, usage, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C") WHERE (usage IS NOT NULL);
CREATE INDEX alerts_on_malware ON public.alerts USING btree (organisation_id, project_id, ecosystem, package_name) WHERE (malicious AND (resolved_at IS NULL));
CREATE INDEX alerts_without_fix ON public.alerts USING btree (organisation_id, project_id, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C") WHERE (safe_version IS NULL);
CREATE INDEX alerts_worst_first ON public.alerts USING btree (organisation_id, project_id, ((resolved_at IS NOT NULL)), effective_priority DESC NULLS LAST, ((kev_added IS NULL)), tier_rank, epss DESC NULLS LAST, cvss_score DESC NULLS LAST, package_name COLLATE "C", vulnerability_id COLLATE "C", ecosystem COLLATE "C");
CREATE INDEX audit_log_newest ON public.audit_log USING btree (organisation_id, at DESC, id DESC);
CREATE INDEX audit_log_of_actor ON public.audit_log USING btree (organisation_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_log_of_actor_name ON public.audit_log USING btree (organisation_id, lower(actor_name));
CREATE INDEX audit_log_of_alert ON public.audit_log USING btree (organisation_id, target_id) WHERE (action = ANY (ARRAY['alert.acknowledge'::text, 'alert.unacknowledge'::text, 'verdict.override'::text, 'verdict.clear_override'::text, 'verdict.override_expired'::text]));
CREATE INDEX audit_log_of_package ON public.audit_log USING btree (organisation_id, package, at DESC, id DESC) WHERE (package IS NOT NULL);
CREATE INDEX audit_log_of_project ON public.audit_log USING btree (organisation_id, project_id, at DESC, id DESC);
CREATE INDEX audit_log_of_target ON public.audit_log USING btree (organisation_id, target_id, at DESC, id DESC);
CREATE INDEX audit_log_of_vulnerability ON public.audit_log USING btree (organisation_id, vulnerability_id, at DESC, id DESC) WHERE (vulnerability_id IS NOT NULL);
CREATE INDEX change_sets_of_project ON public.change_sets USING btree (organisation_id, project_id, id);
CREATE UNIQUE INDEX change_sets_under_way ON public.change_sets USING btree (organisation_id, project_id) WHERE (state = ANY (ARRAY['open'::text, 'undoing'::text]));
CREATE UNIQUE INDEX container_images_once ON public.container_images USING btree (organisation_id, project_id, ref) WHERE (removed_in = 0);
CREATE INDEX container_images_removed ON public.container_images USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX container_images_to_evaluate ON public.container_images USING btree (organisation_id, id) WHERE (evaluated_to IS NOT NULL);
CREATE INDEX findings_by_risk ON public.findings USING btree (organisation_id, domain, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, rule_id COLLATE "C", identity, id) WHERE (risk < 3);
CREATE INDEX findings_by_risk_of_project ON public.findings USING btree (organisation_id, project_id, domain, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, rule_id COLLATE "C", identity, id) WHERE (risk < 3);
CREATE INDEX findings_known_exploited ON public.findings USING btree (organisation_id, project_id) WHERE ((kev_added IS NOT NULL) AND (state = 'open'::text));
CREATE INDEX findings_new ON public.findings USING btree (organisation_id, domain, opened_on, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, rule_id COLLATE "C", identity, id) WHERE (risk IS NOT NULL);
CREATE INDEX findings_new_of_project ON public.findings USING btree (organisation_id, project_id, domain, opened_on, risk, risk_score DESC, tier_rank, probability DESC, severity_rank, rule_id COLLATE "C", identity, id) WHERE (risk IS NOT NULL);
CREATE INDEX findings_of_all ON public.findings USING btree (organisation_id, domain, state_rank, ((kev_added IS NOT NULL)) DESC, tier_rank, probability DESC, severity_rank, sort_name, id);
CREATE INDEX findings_of_all_of_severity ON public.findings USING btree (organisation_id, domain, severity, state_rank, ((kev_added IS NOT NULL)) DESC, tier_rank, probability DESC, severity_rank, sort_name, id);
CREATE INDEX findings_of_rule ON public.findings USING btree (organisation_id, rule_id);
CREATE INDEX findings_of_severity ON public.findings USING btree (organisation_id, project_id, domain, severity, state_rank, ((kev_added IS NULL)), tier_rank, probability DESC, severity_rank, sort_name, id);
CREATE INDEX findings_of_source ON public.findings USING btree (organisation_id, project_id, domain, md5(source), state_rank, ((kev_added IS NULL)), tier_rank, probability DESC, severity_rank, sort_name, id);
CREATE UNIQUE INDEX findings_once ON public.findings USING btree (organisation_id, project_id, domain, source, tool, identity) WHERE (removed_in = 0);
CREATE INDEX findings_removed ON public.findings USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX findings_worst_first ON public.findings USING btree (organisation_id, project_id, domain, state_rank, ((kev_added IS NULL)), tier_rank, probability DESC, severity_rank, sort_name, id);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX posture_counts_of_set ON public.posture_counts USING btree (change_set) WHERE (change_set <> 0);
CREATE INDEX posture_days_of_set ON public.posture_days USING btree (change_set) WHERE (change_set <> 0);
CREATE UNIQUE INDEX projects_by_name ON public.projects USING btree (organisation_id, lower(name)) WHERE (removed_at IS NULL);
CREATE INDEX projects_removed ON public.projects USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX projects_with_due_work ON public.projects USING btree (organisation_id, id) WHERE ((alerts_due_after IS NOT NULL) OR (verdicts_due_after IS NOT NULL) OR (news IS NOT NULL));
CREATE INDEX registry_lookups_oldest_first ON public.registry_lookups USING btree (looked_up_at);
CREATE INDEX reported_vulnerabilities_by_id ON public.reported_vulnerabilities USING btree (organisation_id, project_id, vulnerability_id, id);
CREATE INDEX reported_vulnerabilities_by_source ON public.reported_vulnerabilities USING btree (organisation_id, project_id, source);
CREATE INDEX reported_vulnerabilities_removed ON public.reported_vulnerabilities USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX scan_jobs_newest ON public.scan_jobs USING btree (organisation_id, project_id, domain, hosted, queued_at DESC, id DESC);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_member ON public.sessions USING btree (organisation_id, member_id);
CREATE INDEX stack_counts_of_set ON public.stack_counts USING btree (change_set) WHERE (change_set <> 0);
CREATE INDEX symbol_records_by_feed ON public.symbol_records USING btree (feed);
CREATE INDEX symbol_records_by_record ON public.symbol_records USING btree (record_id);
CREATE INDEX tech_stack_items_by_coordinate ON public.tech_stack_items USING btree (organisation_id, ecosystem, package_name);
CREATE INDEX tech_stack_items_by_name ON public.tech_stack_items USING btree (organisation_id, project_id, name, version, id);
CREATE INDEX tech_stack_items_by_package ON public.tech_stack_items USING btree (organisation_id, project_id, ecosystem, package_name);
CREATE INDEX tech_stack_items_of_organisation ON public.tech_stack_items USING btree (organisation_id, ecosystem, package_name);
CREATE UNIQUE INDEX tech_stack_items_once ON public.tech_stack_items USING btree (organisation_id, project_id, source, ecosystem, package_name, version) WHERE (removed_in = 0);
CREATE INDEX tech_stack_items_removed ON public.tech_stack_items USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX unmatched_components_removed ON public.unmatched_components USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX unread_records_by_package ON public.unread_records USING gin (packages);
CREATE INDEX uploads_finished ON public.uploads USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX uploads_leases ON public.uploads USING btree (lease_until) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE UNIQUE INDEX uploads_under_way ON public.uploads USING btree (organisation_id, key_hash) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX usage_dependencies_removed ON public.usage_dependencies USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX usage_reports_newest ON public.usage_reports USING btree (organisation_id, project_id, ordinal DESC);
CREATE INDEX verdicts_expiring ON public.verdicts USING btree (override_expires_at) WHERE (override_expires_at IS NOT NULL);
CREATE INDEX vex_documents_of_author ON public.vex_documents USING btree (organisation_id, project_id, author);
CREATE INDEX vex_documents_removed ON public.vex_documents USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX vex_proposals_newest ON public.vex_proposals USING btree (organisation_id, project_id, created_at DESC, id DESC);
CREATE INDEX vex_proposals_of_verdict ON public.vex_proposals USING btree (organisation_id, verdict_id);
CREATE INDEX vex_proposals_removed ON public.vex_proposals USING btree (removed_in) WHERE (removed_in <> 0);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (organisation_id, webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhooks_by_name ON public.webhooks USING btree (organisation_id, project_id, name, id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER count_delete AFTER DELETE ON public.alerts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_alerts_delete();
CREATE TRIGGER count_delete AFTER DELETE ON public.findings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_findings_delete();
CREATE TRIGGER count_delete AFTER DELETE ON public.tech_stack_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_tech_stack_items_delete();
CREATE TRIGGER count_insert AFTER INSERT ON public.alerts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_alerts_insert();
CREATE TRIGGER count_insert AFTER INSERT ON public.findings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_findings_insert();
CREATE TRIGGER count_insert AFTER INSERT ON public.tech_stack_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_tech_stack_items_insert();
CREATE TRIGGER count_update AFTER UPDATE ON public.alerts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_alerts_update();
CREATE TRIGGER count_update AFTER UPDATE ON public.findings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_findings_update();
CREATE TRIGGER count_update AFTER UPDATE ON public.tech_stack_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_tech_stack_items_update();
CREATE TRIGGER name_delete AFTER DELETE ON public.findings FOR EACH ROW WHEN ((old.named <> '{}'::text[])) EXECUTE FUNCTION public.name_findings_delete();
CREATE TRIGGER name_insert AFTER INSERT ON public.findings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.name_findings_insert();
CREATE TRIGGER name_rows AFTER INSERT ON public.alerts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.name_alerts();
CREATE TRIGGER name_rows AFTER INSERT ON public.findings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.name_findings();
CREATE TRIGGER name_rows AFTER INSERT ON public.tech_stack_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.name_tech_stack_items();
CREATE TRIGGER name_update AFTER UPDATE ON public.findings FOR EACH ROW WHEN ((old.named IS DISTINCT FROM new.named)) EXECUTE FUNCTION public.name_findings_update();
ALTER TABLE ONLY public.advisory_packages
    ADD CONSTRAINT advisory_packages_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES public.advisories(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alert_events
    ADD CONSTRAINT alert_events_organisation_id_alert_id_fkey FOREIGN KEY (organisation_id, alert_id) REFERENCES public.alerts(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alert_events
    ADD CONSTRAINT alert_events_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);
ALTER TABLE ONLY public.change_sets
    ADD CONSTRAINT change_sets_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.container_images
    ADD CONSTRAINT container_images_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dast_targets
    ADD CONSTRAINT dast_targets_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.findings
    ADD CONSTRAINT findings_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.known_addresses
    ADD CONSTRAINT known_addresses_organisation_id_member_id_fkey FOREIGN KEY (organisation_id, member_id) REFERENCES public.members(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.last_reports
    ADD CONSTRAINT last_reports_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.newest_reports
    ADD CONSTRAINT newest_reports_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_organisation_id_member_id_fkey FOREIGN KEY (organisation_id, member_id) REFERENCES public.members(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.posture_counts
    ADD CONSTRAINT posture_counts_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.posture_days
    ADD CONSTRAINT posture_days_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reported_vulnerabilities
    ADD CONSTRAINT reported_vulnerabilities_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scan_jobs
    ADD CONSTRAINT scan_jobs_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.searched_names
    ADD CONSTRAINT searched_names_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_organisation_id_member_id_fkey FOREIGN KEY (organisation_id, member_id) REFERENCES public.members(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.stack_counts
    ADD CONSTRAINT stack_counts_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.stack_sources
    ADD CONSTRAINT stack_sources_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tech_stack_items
    ADD CONSTRAINT tech_stack_items_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.unmatched_components
    ADD CONSTRAINT unmatched_components_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.unread_records
    ADD CONSTRAINT unread_records_feed_fkey FOREIGN KEY (feed) REFERENCES public.feeds(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.usage_dependencies
    ADD CONSTRAINT usage_dependencies_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.usage_reports
    ADD CONSTRAINT usage_reports_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_organisation_id_alert_id_fkey FOREIGN KEY (organisation_id, alert_id) REFERENCES public.alerts(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.vex_documents
    ADD CONSTRAINT vex_documents_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.vex_proposals
    ADD CONSTRAINT vex_proposals_organisation_id_document_id_fkey FOREIGN KEY (organisation_id, document_id) REFERENCES public.vex_documents(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.vex_proposals
    ADD CONSTRAINT vex_proposals_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.vex_proposals
    ADD CONSTRAINT vex_proposals_organisation_id_verdict_id_fkey FOREIGN KEY (organisation_id, verdict_id) REFERENCES public.verdicts(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organisation_id_webhook_id_fkey FOREIGN KEY (organisation_id, webhook_id) REFERENCES public.webhooks(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_organisation_id_project_id_fkey FOREIGN KEY (organisation_id, project_id) REFERENCES public.projects(organisation_id, id) ON DELETE CASCADE;
ALTER TABLE public.alert_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.alerts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY bound_key ON public.alert_events AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.alerts AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.api_keys AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.audit_log AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.change_sets AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.container_images AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.dast_targets AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.finding_names AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (EXISTS ( SELECT
   FROM public.findings
  WHERE ((findings.organisation_id = finding_names.organisation_id) AND (findings.id = finding_names.finding_id)))))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (EXISTS ( SELECT
   FROM public.findings
  WHERE ((findings.organisation_id = finding_names.organisation_id) AND (findings.id = finding_names.finding_id))))));
CREATE POLICY bound_key ON public.findings AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.invites AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.known_addresses AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.last_reports AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.members AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.newest_reports AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.password_resets AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.posture_counts AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.posture_days AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.projects AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.reported_vulnerabilities AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.scan_jobs AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.searched_names AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.sessions AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false)) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR false));
CREATE POLICY bound_key ON public.stack_counts AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.stack_sources AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.tech_stack_items AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.unmatched_components AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.uploads AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.usage_dependencies AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.usage_reports AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.verdicts AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.vex_documents AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.vex_proposals AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
CREATE POLICY bound_key ON public.webhook_deliveries AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (EXISTS ( SELECT
   FROM public.webhooks
  WHERE ((webhooks.organisation_id = webhook_deliveries.organisation_id) AND (webhooks.id = webhook_deliveries.webhook_id)))))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (EXISTS ( SELECT
   FROM public.webhooks
  WHERE ((webhooks.organisation_id = webhook_deliveries.organisation_id) AND (webhooks.id = webhook_deliveries.webhook_id))))));
CREATE POLICY bound_key ON public.webhooks AS RESTRICTIVE TO postern_tenant USING (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[])))) WITH CHECK (((( SELECT "left"(COALESCE(current_setting('postern.project_ids'::text, true), ''::text), 1) AS "left") <> ','::text) OR (project_id = ANY (( SELECT string_to_array(current_setting('postern.project_ids'::text, true), ','::text) AS string_to_array)::text[]))));
ALTER TABLE public.change_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.container_images ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.dast_targets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.finding_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invites ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.known_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.last_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.newest_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.organisations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON public.alert_events TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.alerts TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.api_keys TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.audit_log TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.change_sets TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.container_images TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.dast_targets TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.finding_names TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.findings TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.idempotency_keys TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.invites TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.known_addresses TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.last_reports TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.members TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.newest_reports TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.organisations TO postern_tenant USING ((id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.password_resets TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.posture_counts TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN (change_set = 0) THEN true
    ELSE (change_set <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.posture_days TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN (change_set = 0) THEN true
    ELSE (change_set <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.projects TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND (removed_at IS NULL))) WITH CHECK (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND (removed_at IS NULL)));
CREATE POLICY own_rows ON public.reported_vulnerabilities TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.scan_jobs TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.searched_names TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.sessions TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.stack_counts TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN (change_set = 0) THEN true
    ELSE (change_set <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.stack_sources TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.tech_stack_items TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.unmatched_components TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.uploads TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.usage_dependencies TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.usage_reports TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.verdicts TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.vex_documents TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.vex_proposals TO postern_tenant USING (((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)) AND
CASE
    WHEN ((added_in = 0) AND (removed_in = 0)) THEN true
    ELSE ((added_in <> ALL (( SELECT public.hidden_sets() AS hidden_sets)::bigint[])) AND ((removed_in = 0) OR (removed_in = ANY (( SELECT public.hidden_sets() AS hidden_sets)::bigint[]))))
END)) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.webhook_deliveries TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
CREATE POLICY own_rows ON public.webhooks TO postern_tenant USING ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text))) WITH CHECK ((organisation_id = NULLIF(current_setting('postern.organisation_id'::text, true), ''::text)));
ALTER TABLE public.password_resets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.reported_vulnerabilities ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.searched_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.stack_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.stack_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tech_stack_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.unmatched_components ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.uploads ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.usage_dependencies ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.usage_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.verdicts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.vex_documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.vex_proposals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON FUNCTION public.names_containing(of_kind text, needle text, max_names integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.names_containing(of_kind text, needle text, max_names integer) TO postern_tenant;
REVOKE ALL ON FUNCTION public.remove_project(project text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_project(project text, at timestamp with time zone) TO postern_tenant;
GRANT SELECT ON TABLE public.advisories TO postern_tenant;
GRANT SELECT ON TABLE public.advisory_packages TO postern_tenant;
GRANT SELECT,INSERT ON TABLE public.alert_events TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alerts TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO postern_tenant;
GRANT SELECT,INSERT ON TABLE public.audit_log TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.change_sets TO postern_tenant;
GRANT USAGE ON SEQUENCE public.change_sets_id_seq TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.container_images TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.dast_targets TO postern_tenant;
GRANT SELECT ON TABLE public.epss TO postern_tenant;
GRANT SELECT ON TABLE public.feeds TO postern_tenant;
GRANT SELECT ON TABLE public.finding_names TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.findings TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.invites TO postern_tenant;
GRANT SELECT ON TABLE public.kev TO postern_tenant;
GRANT SELECT ON TABLE public.known_addresses TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.last_reports TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.members TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.newest_reports TO postern_tenant;
GRANT SELECT ON TABLE public.organisations TO postern_tenant;
GRANT UPDATE(name) ON TABLE public.organisations TO postern_tenant;
GRANT UPDATE(contact_email) ON TABLE public.organisations TO postern_tenant;
GRANT UPDATE(revision) ON TABLE public.organisations TO postern_tenant;
GRANT UPDATE(updated_at) ON TABLE public.organisations TO postern_tenant;
GRANT SELECT ON TABLE public.package_health TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.password_resets TO postern_tenant;
GRANT SELECT ON TABLE public.posture_counts TO postern_tenant;
GRANT SELECT ON TABLE public.posture_days TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.projects TO postern_tenant;
GRANT SELECT ON TABLE public.registry_lookups TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.reported_vulnerabilities TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scan_jobs TO postern_tenant;
GRANT SELECT ON TABLE public.searched_names TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO postern_tenant;
GRANT SELECT ON TABLE public.stack_counts TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stack_sources TO postern_tenant;
GRANT SELECT ON TABLE public.symbol_records TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tech_stack_items TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.unmatched_components TO postern_tenant;
GRANT SELECT ON TABLE public.unread_records TO postern_tenant;
GRANT SELECT,INSERT,UPDATE ON TABLE public.uploads TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_dependencies TO postern_tenant;
GRANT SELECT,INSERT ON TABLE public.usage_reports TO postern_tenant;
GRANT SELECT,INSERT,UPDATE ON TABLE public.verdicts TO postern_tenant;
GRANT SELECT,INSERT ON TABLE public.vex_documents TO postern_tenant;
GRANT SELECT,INSERT,UPDATE ON TABLE public.vex_proposals TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO postern_tenant;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks TO postern_tenant;
