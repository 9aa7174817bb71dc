import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import { permissions, requirePermission } from '../auth/permissions.js';
import { byId } from '../db/scope.js';
import { notFound, notNamed } from '../http/api-error.js';
import { likelyNames } from '../http/likely-names.js';

type Within = Pick<Context, 'tx' | 'organisationId'>;

export interface GroupName {
  readonly id: string;
  readonly name: string;
}

interface KnownGroup extends GroupName {
  readonly parent_id: string | null;
  readonly subgroups: readonly string[];
}

/** Names that are compared with one that nothing has, at most. */
const maxCompared = 1000;

/**
 * The group that is named by its id or its name, in any case: an id that exists wins. Names are unique. Else 404 with those that may
 * have been meant. Row-level security leaves a key that is bound to projects the groups that these are in.
 */
export async function findGroup({ tx, organisationId }: Within, given: string): Promise<KnownGroup> {
  const { rows } = await sql<KnownGroup>`
    select id, name, parent_id, array(
      select inner_group.id from project_groups as inner_group
      where inner_group.organisation_id = project_groups.organisation_id and inner_group.parent_id = project_groups.id
    ) as subgroups
    from project_groups where organisation_id = ${organisationId} and (id = ${given} or lower(name) = lower(${given}))
    order by id <> ${given}`.execute(tx);
  const [group] = rows;
  if (group === undefined) throw notNamed('group', await likelyGroups({ tx, organisationId }, given));
  return group;
}

/** What deletes takes an id alone: a name is answered with it. */
export async function findGroupById(within: Within, given: string): Promise<KnownGroup> {
  const group = await findGroup(within, given);
  if (group.id !== given) throw notNamed('group', [group], 'ids_only');
  return group;
}

/** The same to put projects into: it is not deleted before the transaction ends. */
export async function holdGroup(within: Within, given: string): Promise<KnownGroup> {
  const group = await findGroup(within, given);
  await within.tx
    .selectFrom('project_groups')
    .select('id')
    .where(byId(within.organisationId, group.id))
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound('group'));
  return group;
}

/**
 * The id of the group that a project is to be put into: null takes it out, undefined leaves it. Who may not assign projects is
 * refused.
 */
export async function groupToPutInto(
  ctx: Context,
  given: string | null | undefined,
): Promise<string | null | undefined> {
  if (given === undefined) return undefined;
  requirePermission(permissions['groups.assign'], ctx.caller);
  return given === null ? null : (await holdGroup(ctx, given)).id;
}

/** Id and name of each of some groups, as the audit log keeps them. */
export async function nameGroups(
  { tx, organisationId }: Within,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => GroupName | null> {
  const groups = await tx
    .selectFrom('project_groups')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${[...new Set(ids)]}::text[])`)
    .execute();
  const known = new Map(groups.map((group) => [group.id, group]));
  return (id) => (id === null ? null : (known.get(id) ?? null));
}

async function likelyGroups({ tx, organisationId }: Within, given: string): Promise<GroupName[]> {
  const all = await tx
    .selectFrom('project_groups')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisationId)
    .orderBy(sql`position(lower(${given}) in lower(name)) = 0`)
    .orderBy(sql`lower(name)`)
    .limit(maxCompared)
    .execute();
  return likelyNames(given, all);
}

/** A column for `select` or `returning`: the group of a row of `projects`, as the API answers it. */
export const groupOfRow = sql<(GroupName & { readonly parent?: GroupName }) | null>`(
  select jsonb_strip_nulls(jsonb_build_object('id', held.id, 'name', held.name, 'parent',
    case when parent.id is not null then jsonb_build_object('id', parent.id, 'name', parent.name) end))
  from project_groups as held
  left join project_groups as parent on parent.organisation_id = held.organisation_id and parent.id = held.parent_id
  where held.organisation_id = projects.organisation_id and held.id = projects.group_id
)`.as('group');
