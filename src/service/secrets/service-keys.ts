import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.js';
import type { ServiceKeysTable } from '../db/tables/organisations.js';
import { type NamedKey, seal, unseal } from './sealed-text.js';

type Purpose = ServiceKeysTable['purpose'];

/**
 * The keys that a database keeps for all services on it, by purpose; 32 bytes each. Those of receipts change
 * (`receipts/signing-key.ts`).
 */
export type StoredKeys = Readonly<Record<Exclude<Purpose, 'receipts'>, Buffer>>;

/**
 * The service's keys from the database, made where there are none. A key that is not wrapped under the first wrapping key is
 * wrapped anew, so that rotating that key takes one start.
 *
 * @throws Error naming SECRETS_KEY where a key is wrapped under one that is not given
 */
export async function loadStoredKeys(database: Database, wrapping: readonly NamedKey[]): Promise<StoredKeys> {
  return database.system(async (tx) => {
    // Two instances that start at once must not make two keys.
    await sql`lock table service_keys in share row exclusive mode`.execute(tx);
    return { sessions: await storedKey(tx, 'sessions', wrapping), webhooks: await storedKey(tx, 'webhooks', wrapping) };
  });
}

/** A key, made where there is none. The table must be locked. */
export async function storedKey(
  tx: Transaction,
  purpose: Purpose,
  wrapping: readonly NamedKey[],
  make: () => Buffer = () => randomBytes(32),
): Promise<Buffer> {
  const stored = await tx
    .selectFrom('service_keys')
    .select(['key', 'wrapped_by'])
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  const key = stored === undefined ? make() : Buffer.from(unwrap(purpose, stored, wrapping), 'base64');
  const [wrapper] = wrapping;
  if (stored?.wrapped_by === (wrapper?.id ?? '')) return key;
  const text = key.toString('base64');
  const row = {
    key: wrapper === undefined ? text : seal(wrapper, text, placeOf(purpose)),
    wrapped_by: wrapper?.id ?? '',
  };
  await tx
    .insertInto('service_keys')
    .values({ purpose, ...row })
    .onConflict((known) => known.column('purpose').doUpdateSet(row))
    .execute();
  return key;
}

function unwrap(
  purpose: Purpose,
  { key, wrapped_by }: Pick<ServiceKeysTable, 'key' | 'wrapped_by'>,
  wrapping: readonly NamedKey[],
): string {
  if (wrapped_by === '') return key;
  const wrapper = wrapping.find(({ id }) => id === wrapped_by);
  if (wrapper !== undefined) return unseal(wrapper, key, placeOf(purpose));
  throw new Error(
    `The database's keys are wrapped under another SECRETS_KEY. Give that one, alone or after the new one (new,old). ` +
      `If it is lost, delete the rows of table service_keys: all sessions end, and webhooks must be added again.`,
  );
}

function placeOf(purpose: Purpose): string {
  return `service_keys.key ${purpose}`;
}
