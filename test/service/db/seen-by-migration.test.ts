import { Kysely, Migrator, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { emptyDatabase } from './empty-database.js';

test('findings of an earlier version learn who saw them, and are counted by the new windows', async () => {
  const { pool, close } = await emptyDatabase();
  onTestFinished(close);
  const db = new Kysely<Schema>({ dialect: poolDialect(pool) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const until = async (name: string) => {
    const { error } = await migrator.migrateTo(name);
    if (error !== undefined) throw error;
  };
  await until('0008-advisories');
  await sql`insert into organisations (id, name, plan) values ('o', 'Acme', 'Free')`.execute(db);
  await sql`insert into projects (organisation_id, id, name, exposure) values ('o', 'p', 'Shop', 'internet')`.execute(
    db,
  );
  await sql`insert into container_images (organisation_id, project_id, id, ref, layers, labels, scanned_at)
    values ('o', 'p', 'img_1', 'a:1', '{}', '{}', now()), ('o', 'p', 'img_2', 'b:1', '{}', '{}', now())`.execute(db);
  await sql`insert into audit_log (organisation_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, after)
    values ('o', 'a1', 'system', '-', '-', 'containers.upload_report', 'image', 'img_1', '{"scanner": "grype"}'),
      ('o', 'a2', 'system', '-', '-', 'containers.upload_report', 'image', 'img_1', '{"scanner": "trivy"}')`.execute(
    db,
  );
  await sql`insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity, tier,
      state, details, first_seen_at, last_seen_at, fixed_at, turns)
    select 'o', 'p', id, domain, source, 'image-scan', int4send(nth), 'CVE-1', 't', 'high', 'RED', state,
      jsonb_build_object('package', jsonb_build_object('type', type)), '2026-01-01', '2026-01-02', null, turns::date[]
    from (values (1, 'f1', 'containers', 'a:1', 'open', 'deb', '{2026-01-01}'),
      (2, 'f2', 'containers', 'a:1', 'fixed', 'npm', '{2026-01-01,2026-01-03}'),
      (3, 'f3', 'containers', 'b:1', 'open', 'npm', '{2026-01-01,2026-01-03,2026-01-04}'),
      (4, 'f4', 'code', 'c', 'open', '', '{2026-01-02}')) as given (nth, id, domain, source, state, type, turns)`.execute(
    db,
  );
  await until('0009-seen-by');
  const findings = await db.selectFrom('findings').select(['id', 'part', 'sightings']).orderBy('id').execute();
  const trivy = { tool: 'trivy', scope: ['image'], at: '2026-01-02T00:00:00.000Z' };
  expect(findings).toEqual([
    { id: 'f1', part: 'os', sightings: [trivy] },
    { id: 'f2', part: 'library', sightings: [{ ...trivy, gone: true }] },
    { id: 'f3', part: 'library', sightings: [] },
    { id: 'f4', part: '', sightings: [] },
  ]);
  const days = await db
    .selectFrom('posture_days')
    .select(['day', 'appeared', 'reopened', 'resolved', 'net'])
    .where('domain', '=', 'containers')
    .orderBy('day')
    .execute();
  expect(days).toEqual([
    { day: '2026-01-01', appeared: 3, reopened: -1, resolved: 0, net: 3 },
    { day: '2026-01-03', appeared: 0, reopened: 0, resolved: 2, net: -2 },
    { day: '2026-01-04', appeared: 0, reopened: 1, resolved: 0, net: 1 },
  ]);
  await sql`update findings set state = 'fixed', turns = turn(turns, '2026-01-05') where id = 'f1'`.execute(db);
  const { rows } = await sql`select resolved::int as resolved from posture_days where day = '2026-01-05'`.execute(db);
  expect(rows).toEqual([{ resolved: 1 }]);
});
