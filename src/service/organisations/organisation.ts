import { maxNamedProjects } from '../../procedures/organisation.js';
import { changesOf } from '../api/cleared.js';
import type { Context, Handlers } from '../api/handler.js';
import { notFound, requireRevision } from '../http/api-error.js';

type OrganisationHandlers = Handlers['organisation'];

/** What the API answers of an organisation. */
export const organisationColumns = [
  'id',
  'name',
  'contact_email',
  'plan',
  'revision',
  'created_at',
  'updated_at',
] as const;

export const getOrganisation: OrganisationHandlers['get'] = async (ctx) => {
  const { tx, caller, organisationId } = ctx;
  const row = await tx
    .selectFrom('organisations')
    .select(organisationColumns)
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow(() => notFound('organisation'));
  const { kind, name, expiresAt: expires_at } = caller;
  const isKey = caller.kind === 'api_key';
  const scope = isKey ? caller.scope : caller.access === 'write' ? 'ReadWrite' : 'ReadOnly';
  const role = isKey ? null : caller.role;
  return { ...row, credential: { kind, name, scope, role, projects: await boundProjects(ctx), expires_at } };
};

/** The projects of a credential that sees some alone; null: it sees all. */
async function boundProjects({ tx, caller, organisationId }: Context) {
  const seesAll = caller.kind === 'api_key' ? caller.projectIds === null : caller.role !== 'none';
  if (seesAll) return null;
  // Row-level security leaves those that it sees.
  const own = tx.selectFrom('projects').where('organisation_id', '=', organisationId).where('removed_at', 'is', null);
  const items = await own.select(['id', 'name']).orderBy('name').orderBy('id').limit(maxNamedProjects).execute();
  const { total } = await own.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items, total };
}

export const updateOrganisation: OrganisationHandlers['update'] = async (ctx, input) => {
  const { expected_revision, clear, ...given } = input;
  const changes = changesOf(given, clear);
  const before = await ctx.tx
    .selectFrom('organisations')
    .select(organisationColumns)
    .where('id', '=', ctx.organisationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('organisation'));
  requireRevision(before.revision, expected_revision);
  const after = await ctx.tx
    .updateTable('organisations')
    .set({ ...changes, revision: before.revision + 1, updated_at: ctx.now })
    .where('id', '=', ctx.organisationId)
    .returning(organisationColumns)
    .executeTakeFirstOrThrow();
  await ctx.audit({
    action: 'organisation.update',
    target: { kind: 'organisation', id: after.id },
    before: { name: before.name, contact_email: before.contact_email },
    after: { name: after.name, contact_email: after.contact_email },
  });
  return after;
};
