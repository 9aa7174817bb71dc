import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { kind, newDatabaseUrl } from '../../support/database.js';

test.each(['not a url', 'mysql://u:secret@h/d', 'postgres//u:secret@h/d'])(
  '%s is no DATABASE_URL, and is not repeated',
  async (databaseUrl) => {
    const opening = openDatabase({ databaseUrl });
    await expect(opening).rejects.toThrow('expected postgres://user:password@host:5432/database');
    await expect(opening).rejects.not.toThrow('secret');
  },
);

test('a server that is not there is named with its variable, without the password', async () => {
  const opening = openDatabase({ databaseUrl: 'postgres://u:secret@127.0.0.1:1/d' });
  await expect(opening).rejects.toThrow(/^DATABASE_URL: no PostgreSQL answers there: .*ECONNREFUSED 127\.0\.0\.1:1/);
  await expect(opening).rejects.not.toThrow('secret');
});

describe.runIf(kind === 'postgres')('a PostgreSQL', () => {
  const server = process.env['TEST_DATABASE_URL'];

  async function asAdmin(url: string | undefined, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function open(databaseUrl: string): Promise<Database> {
    const database = await openDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    return database;
  }

  /** A database that a new user owns, who is no superuser; both go when the test is over. */
  async function ownedDatabase(rights: string): Promise<{ url: string; user: string }> {
    const user = newId('postern_test');
    const url = new URL(await newDatabaseUrl());
    const name = url.pathname.slice(1);
    await asAdmin(
      server,
      `create role ${user} login password 'owner' ${rights}`,
      `alter database ${name} owner to ${user}`,
    );
    onTestFinished(() => asAdmin(server, `drop database ${name} with (force)`, `drop role ${user}`));
    url.username = user;
    url.password = 'owner';
    return { url: url.href, user };
  }

  test('without the database says so, and names the variable', async () => {
    const { url } = await ownedDatabase('');
    const missing = new URL(url);
    missing.pathname = '/no_such_database';
    const opening = openDatabase({ databaseUrl: missing.href });
    await expect(opening).rejects.toThrow(/^DATABASE_URL: the server has no database of this name/);
    await expect(opening).rejects.not.toThrow('owner:');
  });

  test('is migrated once by processes that start at once', async () => {
    const url = await newDatabaseUrl();
    const databases = await Promise.all([open(url), open(url), open(url)]);
    for (const database of databases) {
      const query = sql<{
        name: string;
        times: number;
      }>`select name, count(*) as times from kysely_migration group by name`;
      const { rows } = await database.system((tx) => query.execute(tx));
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
    }
  });

  test('loses a connection in the middle of a transaction and goes on', async () => {
    const database = await open(await newDatabaseUrl());
    const end = () => database.system((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx));
    await expect(end()).rejects.toThrow('terminating connection');
    const { rows } = await database.system((tx) => sql`select 1 as x`.execute(tx));
    expect(rows).toEqual([{ x: 1 }]);
  });

  test('keeps organisations apart under an owner who is no superuser', async () => {
    const { url } = await ownedDatabase('createrole');
    const database = await open(url);
    const ids = [newId('org'), newId('org')];
    for (const id of ids) {
      await database.system((tx) =>
        sql`insert into organisations (id, name, plan) values (${id}, 'n', 'Free')`.execute(tx),
      );
    }
    for (const id of ids) {
      const { rows } = await database.tenant(id, (tx) => sql`select id from organisations`.execute(tx));
      expect(rows).toEqual([{ id }]);
    }
    const { rows } = await database.system((tx) => sql`select id from organisations`.execute(tx));
    expect(rows).toHaveLength(2);
  });

  describe('whose user may make no roles', () => {
    // The role is there in the cluster, made by another user.
    beforeAll(async () => {
      const database = await openDatabase({ databaseUrl: await newDatabaseUrl() });
      await database.close();
    });

    test('says what the user lacks', async () => {
      const { url } = await ownedDatabase('nocreaterole');
      await expect(openDatabase({ databaseUrl: url })).rejects.toThrow(
        /may not use the role postern_tenant.*CREATEROLE.*GRANT postern_tenant TO/,
      );
    });

    test('opens where the role was granted in advance', async () => {
      const { url, user } = await ownedDatabase('nocreaterole');
      await asAdmin(server, `grant postern_tenant to ${user}`);
      const database = await open(url);
      const { rows } = await database.tenant('org_x', (tx) => sql`select current_user::text as role`.execute(tx));
      expect(rows).toEqual([{ role: 'postern_tenant' }]);
    });
  });
});
