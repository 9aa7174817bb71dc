import { sql } from 'kysely';
import type * as z from 'zod';
import type { GrantedRole, member } from '../../procedures/organisation.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { findGroup } from '../projects/find-group.js';

export type MemberGroup = z.output<typeof member>['groups'][number];

/** A column of a row of `members`: the groups in which the member has a role, by name. */
export const groupsOfMember = sql<MemberGroup[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', held.id, 'name', held.name, 'role', given.role)
    order by lower(held.name)), '[]')
  from group_members as given
  join project_groups as held on held.organisation_id = given.organisation_id and held.id = given.group_id
  where given.organisation_id = members.organisation_id and given.member_id = members.id
)`.as('groups');

interface Given {
  /** Id or name. */
  readonly group: string;
  readonly role: GrantedRole;
}

/** The groups that are named, each once with the last role that is given for it; 404 for one that is not there. */
export async function namedGroups(ctx: Context, given: readonly Given[]): Promise<MemberGroup[]> {
  const named = new Map<string, MemberGroup>();
  for (const { group, role } of given) {
    const { id, name } = await findGroup(ctx, group);
    named.set(id, { id, name, role });
  }
  return [...named.values()];
}

export interface MemberKey {
  readonly organisation_id: string;
  readonly member_id: string;
}

/** From now on the member has these roles in groups and no others. A group that was deleted meanwhile gives none. */
export async function setGroups(
  tx: Transaction,
  { organisation_id, member_id }: MemberKey,
  groups: ReadonlyArray<Pick<MemberGroup, 'id' | 'role'>>,
): Promise<void> {
  await tx
    .deleteFrom('group_members')
    .where(({ and }) => and({ organisation_id, member_id }))
    .execute();
  const [ids, roles] = [groups.map(({ id }) => id), groups.map(({ role }) => role)];
  await sql`
    insert into group_members (organisation_id, member_id, group_id, role)
    select ${organisation_id}, ${member_id}, held.id, given.role
    from unnest(${ids}::text[], ${roles}::text[]) as given (id, role)
    join project_groups as held on held.organisation_id = ${organisation_id} and held.id = given.id
    for key share of held`.execute(tx);
}
