import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { apiKeyHint, hashSecret, makeApiKey } from '../auth/api-key.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { invalidField, notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { requireRoom } from '../limits/require-room.js';

const apiKeyColumns = [
  'id',
  'name',
  'scope',
  'last_four',
  'created_by',
  'created_at',
  'last_used_at',
  'revoked_at',
  'expires_at',
  'project_ids',
] as const;

function toApiKey<Row extends { readonly last_four: string }>({ last_four, ...row }: Row) {
  return { ...row, hint: apiKeyHint(last_four) };
}

const newest: List = {
  keys: [key('created_at', 'timestamptz', 'desc'), key('id', 'text')],
  appeared: sql`created_at`,
};

export const apiKeyHandlers: Handlers['apiKeys'] = {
  async list(ctx, input) {
    const keys = ctx.tx.selectFrom('api_keys').where('organisation_id', '=', ctx.organisationId);
    const page = await loadPage(ctx, newest, input, keys.select(apiKeyColumns));
    return { ...page, items: page.items.map(toApiKey) };
  },

  async create(ctx, { name, scope, expires_at = null, project_ids }) {
    const { tx, organisationId, caller, now, audit } = ctx;
    if (expires_at !== null && expires_at <= now) throw invalidField('expires_at', 'not_in_future');
    const projectIds = project_ids === undefined ? null : await knownProjects(ctx, project_ids);
    await requireRoom(tx, organisationId, 'api_keys');
    const key = makeApiKey();
    const row = await tx
      .insertInto('api_keys')
      .values({
        organisation_id: organisationId,
        id: newId('key'),
        name,
        scope,
        key_hash: hashSecret(key),
        last_four: key.slice(-4),
        created_by: caller.name,
        created_at: now,
        expires_at,
        project_ids: projectIds,
      })
      .returning(apiKeyColumns)
      .executeTakeFirstOrThrow();
    const after = { name, scope, expires_at, project_ids: projectIds };
    await audit({ action: 'api_key.create', target: { kind: 'api_key', id: row.id }, after });
    return { api_key: toApiKey(row), key };
  },

  async revoke({ tx, organisationId, now, audit }, { api_key_id }) {
    const revoked = await tx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where(byId(organisationId, api_key_id))
      .where('revoked_at', 'is', null)
      .returning(['name', 'scope'])
      .executeTakeFirstOrThrow(() => notFound('api_key'));
    await audit({ action: 'api_key.revoke', target: { kind: 'api_key', id: api_key_id }, before: revoked });
    return { id: api_key_id, deleted: true };
  },
};

/** Each once, in the given order. Locked until the key is there, so that none of them is deleted in between. */
async function knownProjects({ tx, organisationId }: Context, given: readonly string[]): Promise<string[]> {
  const ids = [...new Set(given)];
  const rows = await tx
    .selectFrom('projects')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .forKeyShare()
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const unknown = given.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidField(`project_ids.${unknown}`, 'unknown_project');
  return ids;
}
