import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Database } from '../../../../src/service/db/database.js';
import { openDatabase } from '../../../../src/service/db/open.js';
import type { ReplicaLocation } from '../../../../src/service/db/replica/replica.js';
import { textAt } from '../../../support/at.js';
import { createDatabase } from '../../../support/database-template.js';
import { eventually } from '../../../support/eventually.js';
import { startService, type TestOrganisation, type TestService } from '../../../support/service.js';
import { startPrimary, startStandby } from '../../../support/standby.js';

/** What is paused for a whole test is not too late, and a loaded machine does not make it look away. */
export const patient = { maxLagMs: 3_600_000, checkMs: 60_000 };

export const listed = z.object({ items: z.array(z.looseObject({ name: z.string() })) });

/** The same for all instances. */
const jwtKey = Buffer.alloc(32, 7);

export interface Instance extends TestService {
  /** Of the replica's state. */
  readonly changes: readonly (readonly [state: string, reason: string | null])[];
  /** The names of its projects. */
  readonly names: (organisation: TestOrganisation) => Promise<string[]>;
}

export const isUsed = (database: Database) => eventually(() => expect(database.replica()?.isUsed).toBe(true));

type Limits = Pick<ReplicaLocation, 'maxLagMs' | 'checkMs'>;

export type Pair = Awaited<ReturnType<typeof startPair>>;

/** A primary and its standby, of the test file's own. */
export async function startPair() {
  const primary = await startPrimary();
  const standby = await startStandby(primary);
  let made = 0;
  let name = '';

  /** An empty database of the cluster, which is then on the standby too. Whoever opens one from now on opens this one. */
  async function newDatabase(): Promise<void> {
    made += 1;
    name = `postern_${made}`;
    await createDatabase(primary.url('postgres'), name);
  }
  await newDatabase();

  async function open(options: Limits & { readonly url?: string } = {}) {
    const changes: [string, string | null][] = [];
    const replica = {
      url: standby.url(name),
      onChange: (...change: [string, string | null]) => changes.push(change),
      ...options,
    };
    const database = await openDatabase({ databaseUrl: primary.url(name), replica });
    onTestFinished(() => database.close());
    return { database, changes };
  }

  /** An instance whose replica is in use. */
  async function startInstance(options: Limits & { readonly auditReads?: boolean } = {}): Promise<Instance> {
    const { auditReads = false, ...replica } = options;
    const { database, changes } = await open(replica);
    await isUsed(database);
    const service = await startService({ database, auditReads, jwtKey });
    onTestFinished(() => service.close());
    const names: Instance['names'] = async ({ readKey }) =>
      listed.parse((await service.call(readKey, 'GET', '/api/projects')).body).items.map((project) => project.name);
    return { ...service, changes, names };
  }

  /** The standby has all that the primary has. */
  async function caughtUp(): Promise<void> {
    const [{ at } = {}] = await primary.run('select pg_current_wal_insert_lsn()::text as at');
    await eventually(async () => {
      const [{ there } = {}] = await standby.run(`select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as there`);
      expect(there).toBe(true);
    });
  }

  const resumeReplay = async () => void (await standby.run('select pg_wal_replay_resume()'));

  /** Until the test is over. */
  async function pauseReplay(): Promise<void> {
    await caughtUp();
    await standby.run('select pg_wal_replay_pause()');
    onTestFinished(resumeReplay);
    await eventually(async () => {
      const [{ state } = {}] = await standby.run('select pg_get_wal_replay_pause_state() as state');
      expect(state).toBe('paused');
    });
  }

  return {
    primary,
    standby,
    get name() {
      return name;
    },
    ...{ newDatabase, open, startInstance, caughtUp, pauseReplay, resumeReplay },
    /** Nobody of Postern writes this, so nobody notes it. */
    rename: (projectId: string, to: string) =>
      primary.run(`update projects set name = '${to}' where id = '${projectId}'`, name),
    async close() {
      await standby.close();
      await primary.close();
    },
  };
}

/** An organisation with a project that the replica shows. */
export async function newShop({
  newOrganisation,
  call,
  database,
  names,
}: Instance): Promise<TestOrganisation & { readonly projectId: string }> {
  const organisation = await newOrganisation();
  const project = await call(organisation.writeKey, 'POST', '/api/projects', { name: 'shop' });
  await eventually(async () => {
    const before = database.replica()?.reads.replica ?? 0;
    expect(await names(organisation)).toEqual(['shop']);
    expect(database.replica()?.reads.replica).toBeGreaterThan(before);
  });
  return { ...organisation, projectId: textAt(project.body, 'id') };
}
