import { Kysely, Migrator, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { emptyDatabase } from './empty-database.js';

test('lists of an earlier version stay, those that may say more are a day older, and each project is due', async () => {
  const { pool, close } = await emptyDatabase();
  onTestFinished(close);
  const db = new Kysely<Schema>({ dialect: poolDialect(pool) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const until = async (name: string) => {
    const { error } = await migrator.migrateTo(name);
    if (error !== undefined) throw error;
  };
  await until('0038-registry-versions');
  await sql`insert into organisations (id, name, plan) values ('o', 'Acme', 'Free')`.execute(db);
  await sql`insert into projects (organisation_id, id, name, exposure) values ('o', 'p', 'Shop', 'internet')`.execute(
    db,
  );
  await sql`insert into registry_versions (ecosystem, package_name, versions, looked_up_at)
    values ('npm', 'a', '{1.0.0,1.1.0}', '2026-01-02T12:00:00Z'), ('RubyGems', 'b', '{}', '2026-01-02T12:00:00Z')`.execute(
    db,
  );
  await until('0039-registry-releases');
  const unknown = { yanked: [], latest: null, releases: null, failed_at: null };
  expect(await db.selectFrom('registry_versions').selectAll().orderBy('package_name').execute()).toEqual([
    {
      ...{ ...unknown, ecosystem: 'npm', package_name: 'a', versions: ['1.0.0', '1.1.0'] },
      looked_up_at: new Date('2026-01-01T12:00:00Z'),
    },
    {
      ...{ ...unknown, ecosystem: 'RubyGems', package_name: 'b', versions: [] },
      looked_up_at: new Date('2026-01-02T12:00:00Z'),
    },
  ]);
  const { rows } = await sql`select lists_due_at <= now() as due from projects`.execute(db);
  expect(rows).toEqual([{ due: true }]);
});
