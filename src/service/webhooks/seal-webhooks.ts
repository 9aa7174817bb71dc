import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { isSealed } from '../secrets/sealed-text.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { openWebhook, sealWebhook } from './webhook-row.js';

/** Webhooks that one transaction seals. */
const batchSize = 200;

/** Seals the addresses and secrets of webhooks that an earlier version stored in clear; answers how many. */
export async function sealWebhooks(database: Database, secrets: SecretBox): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await database.system((tx) => sealSome(tx, secrets));
    sealed += count;
    if (count === 0) return sealed;
  }
}

/** Locks the rows, because another instance may start at the same time; it waits, and then finds them sealed. */
async function sealSome(tx: Transaction, secrets: SecretBox): Promise<number> {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['organisation_id', 'id', 'url', 'secret'])
    .where(sql<boolean>`(url not like 'sealed:%' or secret not like 'sealed:%')`)
    .orderBy('organisation_id')
    .orderBy('id')
    .limit(batchSize)
    .forUpdate()
    .execute();
  const open = rows.filter(({ url, secret }) => !isSealed(url) || (secret !== null && !isSealed(secret)));
  for (const row of open) {
    await tx
      .updateTable('webhooks')
      .set(sealWebhook(secrets, openWebhook(secrets, row)))
      .where(byId(row.organisation_id, row.id))
      .execute();
  }
  return open.length;
}
