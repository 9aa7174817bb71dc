import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { groups } from '../../procedures/groups.js';
import { domains } from '../../procedures/risk.js';
import type { Transaction } from '../db/database.js';
import { key, type List } from '../http/list-order.js';
import { type Paging, partsOf } from '../http/page.js';

type Group = z.output<typeof groups.update.output>;

/** Each before the groups in it, by name. */
export const groupsByName: List = {
  keys: [
    key(sql`lower(coalesce(parent.name, held.name))`, 'text'),
    key(sql`(parent.id is not null)`, 'bool'),
    key(sql`lower(held.name)`, 'text'),
    key('held.id', 'text'),
  ],
  appeared: sql`held.created_at`,
};

interface Wanted {
  readonly isMeant: RawBuilder<boolean>;
  readonly paging: Paging;
}

/** Groups with what is in them, by name. Counts are those that the database keeps (counts/). */
export async function loadGroups(tx: Transaction, organisationId: string, { isMeant, paging }: Wanted) {
  const { isAfter = sql`true`, order, place, limit, offset } = partsOf(groupsByName, paging);
  const ofTenant = (table: string) => sql`${sql.ref(`${table}.organisation_id`)} = ${organisationId}`;
  const name = (table: string) =>
    sql`case when ${sql.ref(`${table}.id`)} is not null then jsonb_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`;
  const openOf = (tier: string) => sql`coalesce(sum(open.${sql.ref(tier)}), 0)::int`;
  const tier = (value: string) => sql`sum(count) filter (where tier = ${value})`;
  const { rows } = await sql<Group & { readonly place: string }>`
    with page as materialized (
      select held.id, held.name, held.revision, held.created_at, held.updated_at, ${name('parent')} as parent,
        ${name('owner')} as owner, row_number() over (order by ${order}) as turn, ${place}
      from project_groups as held
      left join project_groups as parent on ${ofTenant('parent')} and parent.id = held.parent_id
      left join members as owner on ${ofTenant('owner')} and owner.id = held.owner_id
      where ${ofTenant('held')} and ${isMeant} and ${isAfter}
      order by turn limit ${limit} offset ${offset}
    ), open as (
      select project_id, ${tier('RED')} as red, ${tier('YELLOW')} as yellow, ${tier('GREEN')} as green
      from posture_counts
      where organisation_id = ${organisationId} and domain = any (${[...domains]}::text[]) and source = ''
        and state in ('open', 'open_acknowledged')
      group by project_id
    ), counted as (
      select page.id, count(*)::int as projects, ${openOf('red')} as red, ${openOf('yellow')} as yellow, ${openOf('green')} as green
      from page
      join project_groups as one on ${ofTenant('one')} and page.id in (one.id, one.parent_id)
      join projects on ${ofTenant('projects')} and projects.group_id = one.id
      left join open on open.project_id = projects.id
      group by page.id
    )
    select page.id, page.name, page.parent, page.owner, page.revision, page.created_at, page.updated_at,
      coalesce(projects, 0) as projects,
      jsonb_build_object('red', coalesce(red, 0), 'yellow', coalesce(yellow, 0), 'green', coalesce(green, 0)) as open, page.place
    from page left join counted on counted.id = page.id
    order by page.turn`.execute(tx);
  return rows;
}
