import { Kysely, Migrator, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { emptyDatabase } from './empty-database.js';

test('sources of an earlier version keep what their names and components show to be unread', async () => {
  const { pool, close } = await emptyDatabase();
  onTestFinished(close);
  const db = new Kysely<Schema>({ dialect: poolDialect(pool) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const until = async (name: string) => {
    const { error } = await migrator.migrateTo(name);
    if (error !== undefined) throw error;
  };
  await until('0035-kept-answers-by-age');
  await sql`insert into organisations (id, name, plan) values ('o', 'Acme', 'Free')`.execute(db);
  await sql`insert into projects (organisation_id, id, name, exposure) values ('o', 'p', 'Shop', 'internet')`.execute(
    db,
  );
  await sql`insert into tech_stack_items (organisation_id, project_id, id, source, ecosystem, name, package_name, version, scope)
    values ('o', 'p', 'a', 'acme/shop:pom.xml', 'Maven', 'g:a', 'g:a', '1', 'runtime'),
      ('o', 'p', 'b', 'acme/shop:requirements-dev.txt', 'PyPI', 'b', 'b', '1', 'runtime'),
      ('o', 'p', 'c', 'acme/shop:package-lock.json', 'npm', 'c', 'c', '1.0.0', 'runtime')`.execute(db);
  await sql`insert into stack_sources (organisation_id, project_id, source, direct_known)
    values ('o', 'p', 'acme/shop:pom.xml', 'complete')`.execute(db);
  const named = (name: string, version: string | null, purl: string | null) =>
    sql`insert into unmatched_components (organisation_id, project_id, source, key, kind, purl, name, version, scope)
      values ('o', 'p', 'sbom', ${`library ${name}`}, 'library', ${purl}, ${name}, ${version}, 'runtime')`.execute(db);
  await named('Acme/Handle_bars-4.0.0.jar', '4.0.0', null);
  await named('...', null, null);
  await named('bash', '5.2', 'pkg:deb/debian/bash@5.2');
  await until('0036-unread-parts');
  const rows = await db
    .selectFrom('stack_sources')
    .select(['source', 'direct_known', 'unread', 'unread_keys'])
    .orderBy('source')
    .execute();
  const part = { ecosystem: null, reason: 'no_package_url', at: null };
  expect(rows).toEqual([
    {
      source: 'acme/shop:pom.xml',
      direct_known: 'complete',
      unread: [{ ecosystem: 'Maven', name: null, reason: 'direct_only', stated: null, at: null }],
      unread_keys: ['Maven *'],
    },
    {
      source: 'acme/shop:requirements-dev.txt',
      direct_known: null,
      unread: [{ ecosystem: 'PyPI', name: null, reason: 'direct_only', stated: null, at: null }],
      unread_keys: ['PyPI *'],
    },
    {
      source: 'sbom',
      direct_known: null,
      unread: [
        { ...part, name: '...', stated: null },
        { ...part, name: 'Acme/Handle_bars-4.0.0.jar', stated: '4.0.0' },
      ],
      unread_keys: ['* *', '* handlebars'],
    },
  ]);
});
