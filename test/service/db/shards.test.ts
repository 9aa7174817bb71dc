import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetEvents } from '../../../src/service/alert-details/forget-events.js';
import type { Database } from '../../../src/service/db/database.js';
import { operatorFeedRoutes } from '../../../src/service/feeds/operator-routes.js';
import { routerOf } from '../../../src/service/http/routes.js';
import { jobsRoute } from '../../../src/service/operator/jobs-route.js';
import { removeDeletedProjects } from '../../../src/service/projects/removed-projects.js';
import { type Proofs, startProofs, storeIntelligence, type World } from '../../conformance/world.js';
import { kind, newDatabaseUrl } from '../../support/database.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { startService } from '../../support/service.js';
import { everyProcedure } from '../../support/upstream.js';
import { testFolder } from '../feeds/feed-files.js';
import { ownerColumn, tenantTables } from './catalogue.js';
import { isOf, isStatementOf, listed } from './shards/crossing.js';
import { jobs, start } from './shards/every-job.js';
import { callEveryProcedure } from './shards/every-procedure.js';
import { addStrangers, partitionByOrganisation, plansAreHidden, wholeTables } from './shards/hash-partitions.js';
import { observe } from './shards/observed.js';
import { notAsked, systemModules } from './shards/system-modules.js';
import { worldsApart } from './shards/worlds-apart.js';

const server = process.env['TEST_DATABASE_URL'];
const missing = kind === 'postgres' && server !== undefined ? await plansAreHidden(server) : 'there is no PostgreSQL';
if (kind === 'postgres' && missing !== undefined) console.warn(`plans of partitioned tables are not read: ${missing}`);

/** The service over tables that are hash-partitioned by organisation, after all that it does was done once. */
async function afterEverything() {
  const url = await newDatabaseUrl();
  await partitionByOrganisation(url);
  const observed = observe(url);
  const { database, inSteps } = observed;
  const proofs = await startProofs();
  const postern = await startPostern({ ...proofs.options, database, canMail: true });
  const { jwtKey } = postern;
  const operatorRoutes = operatorFeedRoutes({ database, dataDir: await testFolder() });
  operatorRoutes.use(routerOf([jobsRoute(database, async () => [])]));
  const service = await startService({ database, jwtKey, operatorRoutes, webhookHosts: new Set(['127.0.0.1']) });
  const writing = await startService({ database: inSteps, jwtKey });
  try {
    const observing = (name: string, worlds: readonly World[]) => {
      return { database, service, worlds, observe: <T>(work: () => Promise<T>) => observed.during(name, work) };
    };
    await start(observing('start', []));
    await addStrangers(url);
    const worlds = await worldsApart(postern, await storeIntelligence(postern), proofs);
    await callEveryProcedure(observed, postern, writing, worlds[0]);
    await observed.during('a sign-out at the issuer', () => signOut(postern, proofs, worlds[0]));
    for (const [name, job] of Object.entries(jobs)) await job(observing(name, worlds));
    return observed;
  } finally {
    await writing.close();
    await service.close();
    await postern.close();
    await proofs.close();
    await observed.close();
  }
}

/** The issuer says that somebody has signed out who has a session in the first world. */
async function signOut({ url, database }: TestPostern, { signIns, options: { signIn } }: Proofs, world?: World) {
  const { subject } = await database.system((tx) =>
    tx
      .selectFrom('identities')
      .select('subject')
      .where('organisation_id', '=', world?.organisation.id ?? '')
      .where('issuer', '=', signIns.issuer)
      .executeTakeFirstOrThrow(),
  );
  const seconds = Math.floor(Date.now() / 1000);
  const times = { iat: seconds, exp: seconds + 60, jti: randomUUID() };
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const of = { iss: signIns.issuer, aud: signIn?.instance?.clientId, sub: subject };
  const logout_token = await signIns.sign({ ...of, ...times, events });
  const body = new URLSearchParams({ logout_token });
  const answer = await fetch(`${url}/api/session/back-channel-logout`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}

test.skipIf(missing !== undefined)(
  'each statement of the service asks the shard of one organisation, but for those that are listed',
  async () => {
    const { executions, systemModules: asked } = await afterEverything();

    // What the answer covers.
    const names = new Set([...executions.values()].flat().map(({ during }) => during));
    expect(everyProcedure.map(([path]) => path).filter((path) => !names.has(path))).toEqual([]);
    expect(Object.keys(jobs).filter((name) => !names.has(name))).toEqual([]);
    expect(systemModules().filter((module) => !asked.has(module))).toEqual(Object.keys(notAsked).sort());
    expect(executions.size).toBeGreaterThan(400);

    const found = [...executions].flatMap(([statement, each]) => {
      const tables = [...new Set(each.flatMap(({ crossed }) => crossed))].sort().join(', ');
      return tables === '' ? [] : [{ statement, tables, during: each[0]?.during }];
    });
    expect(
      found.filter((each) => listed.filter((entry) => isOf(entry, each)).length !== 1),
      'These ask several shards. Compare organisation_id too; where no organisation is known, list them in crossing-statements.ts and in docs/beyond-one-machine.md',
    ).toEqual([]);
    // Not that each crosses: whether rows of two organisations are in two shards is chance.
    expect(
      listed.filter((entry) => ![...executions.keys()].some((text) => isStatementOf(entry, text))),
      'These are listed in crossing-statements.ts, and nothing asks them any more: take them from the list and from the documents',
    ).toEqual([]);
  },
);

async function partitionedTables(database: Database): Promise<string[]> {
  const query = sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`;
  const { rows } = await database.system((tx) => query.execute(tx));
  return rows.map(({ name }) => name);
}

test.skipIf(missing !== undefined)(
  'where shards number their rows alike, an organisation loses none to another',
  async () => {
    const url = await newDatabaseUrl();
    await partitionByOrganisation(url);
    const { database, close } = observe(url);
    const proofs = await startProofs();
    const postern = await startPostern({ ...proofs.options, database, canMail: true });
    try {
      const tables = await partitionedTables(database);
      expect([...tables, ...wholeTables].sort()).toEqual(await tenantTables(database));
      const [first, second] = await worldsApart(postern, await storeIntelligence(postern), proofs);
      const rowsOf = ({ organisation }: World) =>
        database.system(async (tx) => {
          const counts = new Map<string, number>();
          for (const table of tables) {
            const { rows } = await sql<{ id: string }>`
            select tableoid || ' ' || ctid::text as id from ${sql.table(table)}
            where ${sql.ref(ownerColumn(table))} = ${organisation.id}`.execute(tx);
            counts.set(table, rows.length);
          }
          return counts;
        });
      const before = await rowsOf(second);
      expect(before.get('alert_events')).toBeGreaterThan(0);
      await database.system((tx) =>
        tx
          .updateTable('alert_events')
          .set({ at: new Date(0) })
          .where('organisation_id', '=', first.organisation.id)
          .execute(),
      );
      expect(await forgetEvents(database, new Date())).toBeGreaterThan(0);
      expect((await rowsOf(first)).get('alert_events')).toBe(0);
      expect(await rowsOf(second)).toEqual(before);
      await postern.call(first.organisation.writeKey, 'DELETE', `/api/projects/${first.projectId}`);
      await removeDeletedProjects(database);
      expect((await rowsOf(first)).get('projects')).toBe(0);
      expect(await rowsOf(second)).toEqual(before);
    } finally {
      await postern.close();
      await close();
    }
  },
);
