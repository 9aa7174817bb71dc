import type { Handlers } from '../api/handler.js';
import { invalidField, notFound, requireRevision } from '../http/api-error.js';

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

export const getOrganisation: OrganisationHandlers['get'] = async ({ tx, organisationId }) => {
  const row = await tx
    .selectFrom('organisations')
    .select(organisationColumns)
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow(() => notFound('organisation'));
  return row;
};

export const updateOrganisation: OrganisationHandlers['update'] = async (ctx, input) => {
  const { expected_revision, ...changes } = input;
  if (Object.values(changes).every((value) => value === undefined)) throw invalidField('', 'no_change');
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
