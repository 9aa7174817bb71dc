import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../../src/service/auth/password.js';
import { createSessionTokens } from '../../../src/service/auth/session-token.js';
import { openEmbedded } from '../../../src/service/db/embedded/embedded.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import { type DatabaseLocation, openDatabase } from '../../../src/service/db/open.js';
import { emptyFolder } from '../../bin/running-postern.js';
import { textAt } from '../../support/at.js';
import { databaseWorker } from '../../support/build.js';
import { kind, newDatabaseUrl } from '../../support/database.js';
import { startService } from '../../support/service.js';

const releases = path.join(import.meta.dirname, 'releases');

const makeRole = `do $$ begin create role postern_tenant nologin; exception when duplicate_object or unique_violation then null; end $$`;

/** A database as a release has left it. */
async function databaseOf(dump: string): Promise<DatabaseLocation> {
  if (kind === 'embedded') {
    const dataDir = await emptyFolder();
    const { pool, close } = await openEmbedded(path.join(dataDir, 'database'), databaseWorker);
    await pool.query(makeRole);
    await pool.query(dump);
    await pool.end();
    await close();
    return { dataDir };
  }
  const databaseUrl = await newDatabaseUrl();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(makeRole);
  await client.query(dump);
  await client.end();
  return { databaseUrl };
}

/** The rows that a dump inserts, by table. */
function rowsIn(dump: string): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [, table = ''] of dump.matchAll(/^INSERT INTO public\.(\w+) /gm)) {
    if (!table.startsWith('kysely_')) rows.set(table, (rows.get(table) ?? 0) + 1);
  }
  return rows;
}

test.each(readdirSync(releases))(
  'the members of release %s keep their sessions and passwords, and their addresses wait to be proven',
  async (file) => {
    const password = 'the password of before';
    const hash = await hashPassword(password);
    const dump = readFileSync(path.join(releases, file), 'utf8');
    const member = /^INSERT INTO public\.members VALUES \('([^']+)', '([^']+)', '([^']+)', '[^']+', 'admin', '-'/m;
    const [, organisation, memberId = '', email] = member.exec(dump) ?? [];
    const [, session = ''] = /^INSERT INTO public\.sessions VALUES \('[^']+', '([^']+)'/m.exec(dump) ?? [];
    const before = dump.replace(member, (row) => row.replace(/'-'$/, () => `'${hash}'`));
    const database = await openDatabase(await databaseOf(before));
    const service = await startService({ database });
    onTestFinished(async () => {
      await service.close();
      await database.close();
    });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const token = await createSessionTokens([service.jwtKey]).sign({ id: session, memberId, expiresAt });
    const signedIn = await service.call(null, 'POST', '/api/session', { email, password });
    for (const each of [token, textAt(signedIn.body, 'token')]) {
      const { body } = await service.call(each, 'GET', '/api/session');
      expect(body).toMatchObject({
        organisation: { id: organisation },
        caller: { member: { id: memberId, email, role: 'admin', proven_by: null, deactivated_at: null } },
      });
    }
  },
);

test.each(readdirSync(releases))(
  'the database of release %s is brought to this version with all its rows, and used',
  async (file) => {
    const dump = readFileSync(path.join(releases, file), 'utf8');
    const expected = rowsIn(dump);
    expect(expected.size).toBeGreaterThan(30);
    const database = await openDatabase(await databaseOf(dump));
    onTestFinished(() => database.close());
    const [found, applied] = await database.system(async (tx) => {
      const counts = new Map<string, number>();
      for (const table of expected.keys()) {
        const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(tx);
        counts.set(table, rows[0]?.count ?? 0);
      }
      return [counts, await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx)];
    });
    expect(found).toEqual(expected);
    expect(applied.rows.map(({ name }) => name)).toEqual(Object.keys(migrations).sort());

    const { id } = await database.system((tx) => tx.selectFrom('organisations').select('id').executeTakeFirstOrThrow());
    const acknowledged = await database.tenant(id, (tx) =>
      tx.updateTable('alerts').set({ acknowledged_at: new Date() }).returning('id').execute(),
    );
    expect(acknowledged).toHaveLength(expected.get('alerts') ?? 0);
    expect(await database.tenant('org_other', (tx) => tx.selectFrom('alerts').select('id').execute())).toEqual([]);
  },
);
