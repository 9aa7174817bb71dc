import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Transaction } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { testDatabase } from '../../support/database.js';

const work = (tx: Transaction) => sql`select pg_sleep(0.01)`.execute(tx);

test('a flood of transactions of one organisation leaves another its turn', async () => {
  const database = await testDatabase();
  const [flooding, polite] = [newId('org'), newId('org')];
  let done = 0;
  const flood = Array.from({ length: 150 }, () =>
    database.tenant(flooding, work).then(() => {
      done += 1;
    }),
  );
  await database.tenant(polite, work);
  expect(done).toBeLessThan(30);
  await database.system(work, 'health');
  expect(done).toBeLessThan(60);
  await Promise.all(flood);
});

test('a request is refused where the line before the database is longer than it may wait', async () => {
  const database = await testDatabase();
  const organisation = newId('org');
  const flood = Array.from({ length: 30 }, () => database.tenant(organisation, work));
  // What may wait as long as it must is not refused.
  await expect(database.tenant(organisation, work, { maxWaitMs: 1 })).rejects.toMatchObject({ refusal: 'busy' });
  await Promise.all(flood);
});
