import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../../src/service/db/migrations/index.js';
import { type DatabaseLocation, openDatabase } from '../../../src/service/db/open.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';

async function newLocation(): Promise<DatabaseLocation> {
  return kind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() };
}

const applied = sql<{ name: string; timestamp: string }>`select name, timestamp from kysely_migration order by name`;

test('every migration runs once, in the order of the names, however often the database is opened', async () => {
  const location = await newLocation();
  const first = await openDatabase(location);
  const before = await first.system((tx) => applied.execute(tx));
  await first.close();
  const second = await openDatabase(location);
  onTestFinished(() => second.close());
  const after = await second.system((tx) => applied.execute(tx));
  expect(after.rows).toEqual(before.rows);
  expect(after.rows.map(({ name }) => name)).toEqual(Object.keys(migrations).sort());
});

test('a database of a newer version is rejected, and says which migration is not known', async () => {
  const location = await newLocation();
  const database = await openDatabase(location);
  await database.system((tx) =>
    sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2100')`.execute(tx),
  );
  await database.close();
  await expect(openDatabase(location)).rejects.toThrow(
    /Cannot bring the database to this version's schema: .*9999-later/,
  );
});
