import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkDatabase } from '../../../src/bin/doctor/check-database.js';
import { newId } from '../../../src/service/db/ids.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { kind, newDatabaseUrl } from '../../support/database.js';

async function run(url: string | undefined, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const lines = async (databaseUrl: string) =>
  (await checkDatabase({ dataDir: '/nowhere', databaseUrl, operatorKey: undefined })).map(
    ({ level, message }) => `${level} ${message}`,
  );

test.runIf(kind === 'postgres')('a PostgreSQL is empty, sound, or used by one who may not take the role', async () => {
  const url = new URL(await newDatabaseUrl());
  expect((await lines(url.href)).join()).toMatch(/^ok PostgreSQL \S.*, empty: the first start makes its schema$/);
  await openDatabase({ databaseUrl: url.href }).then((database) => database.close());
  expect((await lines(url.href))[0]).toMatch(/^ok PostgreSQL .*, at this version's schema$/);

  const user = newId('postern_test');
  const server = process.env['TEST_DATABASE_URL'];
  await run(server, `create role ${user} login password 'topsecret'`);
  const admin = url.href;
  onTestFinished(async () => {
    await run(admin, `drop owned by ${user}`);
    await run(server, `drop role ${user}`);
  });
  await run(admin, `grant select on all tables in schema public to ${user}`);
  url.username = user;
  url.password = 'topsecret';
  expect((await lines(url.href)).join()).toContain('error its user may not use the role postern_tenant: GRANT');
});

test.runIf(kind === 'postgres')('a server that refuses is an error without its password', async () => {
  const url = new URL(await newDatabaseUrl());
  url.pathname = '/none_of_this_name';
  url.password = 'topsecret';
  const [line = ''] = await lines(url.href);
  expect(line).toContain('error DATABASE_URL: the server has no database of this name');
  expect(line).not.toContain('topsecret');
});
