import { sql } from 'kysely';
import { type Ecosystem, ecosystems } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Database, Transaction } from '../db/database.js';
import { guardedAgent } from '../outbound/guarded-agent.js';
import type { PackageVersion } from '../packages/coordinate.js';
import { askRegistry, askVersions, type Found, type RegistryAnswer } from './ask-registry.js';
import { registries } from './registry.js';
import { forgetLists, type NamedKey, storeFailure, storeList, withoutList } from './version-lists.js';

export interface RegistryLookupOptions {
  readonly database: Database;
  /** Registries or mirrors to ask instead of the public ones. They may have private addresses. */
  readonly urls: Readonly<Partial<Record<Ecosystem, string>>>;
  /** Milliseconds for a whole look-up. */
  readonly timeoutMs?: number;
}

/** Asks package registries whether they have a package, and remembers their answers. */
export interface RegistryLookup {
  /**
   * Null where `isNeeded` says that nothing has to be asked. Opens transactions of its own, and none is open while a
   * registry answers: call it outside of any.
   */
  find(named: PackageVersion, isNeeded: (tx: Transaction) => Promise<boolean>): Promise<RegistryAnswer | null>;
  /** Ecosystems whose registry the operator has named: it may see every name. */
  readonly mirrored: ReadonlySet<Ecosystem>;
  /**
   * Asks for all versions of those packages whose list is not known or a day old, and remembers the answers. Opens transactions of its
   * own, as `find` does. What a registry does not answer stays as it was.
   */
  learnVersions(which: (tx: Transaction) => Promise<readonly NamedKey[]>): Promise<void>;
  /**
   * Asks for the list of one package, with more patience than a caller has, and remembers the answer, or that there was none.
   *
   * @param stopping ends the question
   */
  list(named: NamedKey, stopping: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 2_000;
const maxConcurrent = 32;
/** Milliseconds for a list that nobody waits for. The largest take some seconds on a slow line. */
const patientTimeoutMs = 30_000;

const dayMs = 24 * 60 * 60 * 1000;
/** How long an answer is believed. A version stays; a name or a version that is not there may come. */
const maxAgeMs: Readonly<Record<Found, number>> = { version: 30 * dayMs, package: dayMs, nothing: dayMs };

export function createRegistryLookup(options: RegistryLookupOptions): RegistryLookup {
  const { database, urls, timeoutMs = defaultTimeoutMs } = options;
  const addressOf = (ecosystem: Ecosystem) => (urls[ecosystem] ?? registries[ecosystem].url).replace(/\/$/, '');
  const agent = guardedAgent(hostsOf(Object.values(urls)), timeoutMs);
  /** Look-ups under way. The same question is asked once. */
  const asking = new Map<string, Promise<RegistryAnswer>>();
  let storedAnswers = 0;

  const lookUp = async (named: PackageVersion): Promise<RegistryAnswer> => {
    const stored = await database.system((tx) => readStored(tx, named, new Date()));
    if (stored !== null) return { kind: 'found', found: stored };
    const url = addressOf(named.ecosystem);
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await askRegistry(named, { url, dispatcher: agent, signal });
    if (answer.kind === 'found') {
      await database.system((tx) => store(tx, named, answer.found, new Date()));
      if (storedAnswers % answersBetweenTrims === 0) await database.system(forgetOldest);
      storedAnswers += 1;
    }
    return answer;
  };

  /** Lists under way. */
  const listing = new Map<string, Promise<boolean>>();
  let storedLists = 0;
  const list = async (named: NamedKey, signal: AbortSignal): Promise<boolean> => {
    const answer = await askVersions(named, { url: addressOf(named.ecosystem), dispatcher: agent, signal });
    if (answer.kind === 'failed') return false;
    await database.system((tx) => storeList(tx, named, answer.list, new Date()));
    if (storedLists % answersBetweenTrims === 0) await database.system((tx) => forgetLists(tx, new Date()));
    storedLists += 1;
    return true;
  };
  const listOnce = (named: NamedKey, signal: AbortSignal): Promise<boolean> => {
    const key = packageKey(named);
    const running = listing.get(key);
    if (running !== undefined) return running;
    const answer = list(named, signal).finally(() => listing.delete(key));
    listing.set(key, answer);
    return answer;
  };

  return {
    async find(named, isNeeded) {
      if (!(await database.system(isNeeded))) return null;
      const key = JSON.stringify([named.ecosystem, named.name, named.version]);
      const running = asking.get(key);
      if (running !== undefined) return running;
      if (asking.size >= maxConcurrent) return { kind: 'failed', reason: 'is being asked too much at once' };
      // What is stored is read as a part of it: an answer that comes between a reading and a question would be asked for again.
      const answer = lookUp(named).finally(() => asking.delete(key));
      asking.set(key, answer);
      return answer;
    },
    mirrored: new Set(ecosystems.filter((ecosystem) => urls[ecosystem] !== undefined)),
    async learnVersions(which) {
      const { unknown } = await database.system(async (tx) => withoutList(tx, await which(tx), new Date()));
      if (listing.size >= maxConcurrent) return;
      await Promise.all(unknown.map((named) => listOnce(named, AbortSignal.timeout(timeoutMs))));
    },
    async list(named, stopping) {
      const timeout = AbortSignal.timeout(Math.max(timeoutMs, patientTimeoutMs));
      const isListed = await listOnce(named, AbortSignal.any([timeout, stopping]));
      if (!isListed && !stopping.aborted) await database.system((tx) => storeFailure(tx, named, new Date()));
      return isListed;
    },
    close: () => agent.destroy(),
  };
}

/** `host:port` of each address. */
function hostsOf(urls: readonly string[]): Set<string> {
  return new Set(
    urls.map((text) => {
      const { hostname, port, protocol } = new URL(text);
      return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
    }),
  );
}

async function readStored(tx: Transaction, named: PackageVersion, now: Date): Promise<Found | null> {
  const row = await tx
    .selectFrom('registry_lookups')
    .select(['found', 'looked_up_at'])
    .where('ecosystem', '=', named.ecosystem)
    .where('package_name', '=', named.name)
    .where('version', '=', named.version)
    .executeTakeFirst();
  if (row === undefined || now.getTime() - row.looked_up_at.getTime() > maxAgeMs[row.found]) return null;
  return row.found;
}

/** Remembers an answer, and forgets those that are too old to be used. */
async function store(tx: Transaction, named: PackageVersion, found: Found, now: Date): Promise<void> {
  await sql`
    delete from registry_lookups where looked_up_at < ${new Date(now.getTime() - maxAgeMs.version)}`.execute(tx);

  const { ecosystem, name: package_name, version } = named;
  const row = { ecosystem, package_name, version, found, looked_up_at: now };
  await tx
    .insertInto('registry_lookups')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['ecosystem', 'package_name', 'version']).doUpdateSet({ found, looked_up_at: now }),
    )
    .execute();
}

/** Answers that are remembered: some 10 MB. Anybody with a key can ask for any name. */
const maxStored = 50_000;

/** How many answers come between two looks at their number, which read as many entries of an index as may be stored. */
const answersBetweenTrims = 200;

/** Forgets the oldest answers beyond the limit. */
async function forgetOldest(tx: Transaction): Promise<void> {
  await sql`
    delete from registry_lookups where looked_up_at <= (
      select looked_up_at from registry_lookups order by looked_up_at desc offset ${maxStored} limit 1
    )`.execute(tx);
}
