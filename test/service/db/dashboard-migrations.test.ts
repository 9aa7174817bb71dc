import { Kysely, Migrator, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { emptyDatabase } from './empty-database.js';

async function migratedTo(name: string) {
  const { pool, close } = await emptyDatabase();
  onTestFinished(close);
  const db = new Kysely<Schema>({ dialect: poolDialect(pool) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const until = async (next: string) => {
    const { error } = await migrator.migrateTo(next);
    if (error !== undefined) throw error;
  };
  await until(name);
  await sql`insert into organisations (id, name, plan) values ('o', 'Acme', 'Free')`.execute(db);
  await sql`insert into projects (organisation_id, id, name, exposure) values ('o', 'p', 'Shop', 'internet')`.execute(
    db,
  );
  return { db, until };
}

test('stacks of an earlier version are counted, each as others see it', async () => {
  const { db, until } = await migratedTo('0026-search');
  await sql`insert into change_sets (organisation_id, id, project_id, state, lease_until) overriding system value
    values ('o', 7, 'p', 'open', now())`.execute(db);
  await sql`insert into tech_stack_items (organisation_id, id, project_id, source, ecosystem, name, package_name, version, scope,
      added_at, updated_at, added_in, removed_in)
    values ('o', 'a', 'p', 's', 'npm', 'a', 'a', '1', 'runtime', '2026-01-01', '2026-01-02', 0, 0),
      ('o', 'b', 'p', 's', 'npm', 'b', 'b', '1', 'runtime', '2026-01-02', '2026-01-02', 3, 7),
      ('o', 'c', 'p', 's', 'npm', 'c', 'c', '1', 'runtime', '2026-01-03', '2026-01-03', 7, 0),
      ('o', 'd', 'p', 's', 'npm', 'd', 'd', '1', 'runtime', '2026-01-03', '2026-01-03', 7, 0)`.execute(db);
  await until('0027-stack-counts');
  const counts = await db
    .selectFrom('stack_counts')
    .select(['change_set', 'packages', 'first_at'])
    .orderBy('change_set')
    .execute();
  // Of the open set: two more, and one less.
  expect(counts).toEqual([
    { change_set: 0, packages: 2, first_at: new Date('2026-01-01T00:00:00Z') },
    { change_set: 7, packages: 1, first_at: expect.any(Date) },
  ]);
});

test('of alerts of an earlier version, the days are known on which they went and came back', async () => {
  const { db, until } = await migratedTo('0030-audit-targets');
  await sql`insert into alerts (organisation_id, id, project_id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
      title, versions, malicious, tier, resolved_at, turns)
    select 'o', id, 'p', id, 'npm', 'a', '{}', '{}', 't', '{}', false, 'RED', resolved_at::timestamptz, turns::date[]
    from (values ('always', null, '{2026-01-01}'), ('gone', '2026-01-02', '{2026-01-01,2026-01-02}'),
      ('back', null, '{2026-01-01,2026-01-02,2026-01-03}'),
      ('gone again', '2026-01-04', '{2026-01-01,2026-01-02,2026-01-03,2026-01-04}')) as given (id, resolved_at, turns)`.execute(
    db,
  );
  const before = Date.now();
  await until('0031-alert-history');
  const events = await db
    .selectFrom('alert_events')
    .select(['alert_id', 'at', 'exact', 'kind', 'facts'])
    .orderBy('alert_id')
    .orderBy('at')
    .execute();
  const [went, came] = [new Date('2026-01-02T00:00:00Z'), new Date('2026-01-03T00:00:00Z')];
  const ofAlert = (alert_id: string) => [
    { alert_id, at: went, exact: false, kind: 'resolved', facts: { resolution: null } },
    { alert_id, at: came, exact: false, kind: 'reopened', facts: {} },
  ];
  // What an alert's row says of its last resolution is not said twice.
  expect(events).toEqual([...ofAlert('back'), ...ofAlert('gone again')]);
  const { history_since } = await db.selectFrom('organisations').select('history_since').executeTakeFirstOrThrow();
  expect(history_since.getTime()).toBeGreaterThanOrEqual(before - 1_000);
});
