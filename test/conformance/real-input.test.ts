import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { procedures } from '../../src/procedures/index.js';
import { reach } from '../../src/reach/commands/program.js';
import type { Database } from '../../src/service/db/database.js';
import { openDatabase } from '../../src/service/db/open.js';
import { loadDataFile } from '../service/feeds/load-data-file.js';
import {
  type LockedPackage,
  readComposerLock,
  readPackageLock,
  readPnpmLock,
  readYarnLock,
} from '../service/matching/lock-packages.js';
import { naivePairs } from '../service/matching/naive-matcher.js';
import { readRecords, recordFiles } from '../service/matching/records.js';
import { dependency, report, type WireDependency } from '../service/reachability/report.js';
import { textAt } from '../support/at.js';
import { dataFile, hasData } from '../support/data.js';
import { newDataDir } from '../support/database.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import type { TestOrganisation } from '../support/service.js';

interface Lock {
  readonly name: string;
  readonly file: string;
  /** What its tool calls it: the files here have names that differ. */
  readonly calledAs: string;
  readonly ecosystem: 'npm' | 'Packagist';
  readonly read: (file: string) => LockedPackage[];
  /** Pairs that the records of ghsa-npm.ndjson alone make. */
  readonly pairs: number;
}

const locks: readonly Lock[] = [
  ['NodeGoat', 'nodegoat/package-lock.json', readPackageLock, 131, 'package-lock.json'] as const,
  [
    'Juice Shop',
    'juice-shop/package-lock.generated-2026-11-21.json',
    readPackageLock,
    36,
    'package-lock.json',
  ] as const,
  ['trpc', 'trpc/pnpm-lock.yaml', readPnpmLock, 17, 'pnpm-lock.yaml'] as const,
  ['DefectDojo', 'defectdojo-yarn.lock', readYarnLock, 1, 'yarn.lock'] as const,
  ['a composer.lock', 'osv-scanner-composer.lock', readComposerLock, 0, 'composer.lock'] as const,
].map(([name, path, read, pairs, calledAs]) => ({
  ...{ name, read, pairs, calledAs, file: `lockfiles/${path}` },
  ecosystem: read === readComposerLock ? 'Packagist' : 'npm',
}));

const print = (text: string) => process.stdout.write(`  ${text}\n`);

describe.skipIf(!hasData)('real lock files, synced by reach to the whole server', () => {
  let database: Database;
  let postern: TestPostern;
  let organisation: TestOrganisation;
  const projects = new Map<string, string>();

  beforeAll(async () => {
    database = await openDatabase({ dataDir: await newDataDir() });
    await loadDataFile(database, 'osv', 'osv/ghsa-npm.ndjson');
    await loadDataFile(database, 'kev', 'kev/known_exploited_vulnerabilities.json');
    await loadDataFile(database, 'epss', 'epss/epss-subset-2025-08-15.csv');
    postern = await startPostern({ database });
    organisation = await postern.newOrganisation();
  });
  afterAll(async () => {
    await postern.close();
    await database.close();
  });

  const pathOf = (lock: string) => `/api/projects/${projects.get(lock)}`;

  /** Every row of a list, page by page, over the REST API. */
  async function allOf<Row extends z.ZodType>(path: string, row: Row): Promise<z.output<Row>[]> {
    const rows: z.output<Row>[] = [];
    for (let page = 1; ; page++) {
      const { body } = await postern.call(organisation.readKey, 'GET', `${path}?page=${page}&page_size=100`);
      const { items, has_more } = z.object({ items: z.array(row), has_more: z.boolean() }).parse(body);
      rows.push(...items);
      if (!has_more) return rows;
    }
  }

  const alertPair = z.object({
    cve: z.string().nullable(),
    advisory_ids: z.array(z.string()),
    package: z.object({ name: z.string() }),
  });
  const pairOf = ({ cve, advisory_ids, package: { name } }: z.output<typeof alertPair>) =>
    `${cve ?? advisory_ids[0]} ${name}`;
  const pairsOf = async (lock: string, list = 'alerts') =>
    (await allOf(`${pathOf(lock)}/${list}`, alertPair)).map(pairOf).sort();

  async function reachSync({ file, calledAs }: Lock, project: string) {
    const parent = await mkdtemp(join(tmpdir(), 'postern-lock-'));
    onTestFinished(() => rm(parent, { recursive: true }));
    // The source has the folder's name, so that it is the same when it is synced again.
    const folder = join(parent, 'app');
    await cp(dataFile(file), join(folder, calledAs));
    const written = { out: '', err: '' };
    const begun = performance.now();
    const code = await reach(['sync', join(folder, calledAs), '--project', project, '--json'], {
      env: { SERVICE_API_URL: postern.url, SERVICE_API_KEY: organisation.writeKey },
      version: '0.1.0',
      stdout: (text) => {
        written.out += text;
      },
      stderr: (text) => {
        written.err += text;
      },
    });
    return { code, ...written, ms: performance.now() - begun };
  }

  const synced = z.object({
    lockfiles: z.tuple([z.object({ result: procedures.techStack.sync.output })]),
  });

  test.each(locks)(
    '$name: $pairs pairs from ghsa-npm.ndjson, the same that a matcher written apart finds',
    async (lock) => {
      const created = await postern.call(organisation.writeKey, 'POST', '/api/projects', { name: lock.name });
      projects.set(lock.name, textAt(created.body, 'id'));
      const first = await reachSync(lock, textAt(created.body, 'id'));
      // A large stack on a busy machine is waited for, which is said there.
      expect(first.code, first.err).toBe(0);
      const packages = lock.read(lock.file);
      const { result } = synced.parse(JSON.parse(first.out)).lockfiles[0];
      const distinct = new Set(packages.map(({ name, version }) => `${name} ${version}`)).size;
      expect(result).toMatchObject({ added: distinct, alerts: { opened: lock.pairs, reopened: 0, resolved: 0 } });
      expect(await pairsOf(lock.name)).toEqual(
        [...naivePairs(lock.ecosystem, packages, readRecords('ghsa-npm'))].sort(),
      );

      const again = await reachSync(lock, textAt(created.body, 'id'));
      expect(synced.parse(JSON.parse(again.out)).lockfiles[0].result).toMatchObject({
        ...{ added: 0, updated: 0, removed: 0, unchanged: distinct },
        alerts: { opened: 0, reopened: 0, resolved: 0 },
      });
      const [ms, againMs] = [first.ms, again.ms].map(Math.round);
      print(`${lock.name}: ${distinct} packages, ${lock.pairs} alerts in ${ms} ms; again in ${againMs} ms`);
    },
  );

  test('NodeGoat with a usage report: a verdict for each of the 131 pairs, also of those without a CVE', async () => {
    const uses = ['reached', 'imported', 'transitive', 'tooling', 'unused'] as const;
    const distinct = new Map(
      readPackageLock('lockfiles/nodegoat/package-lock.json').map(({ name, version }): [string, WireDependency] => {
        const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
        return [purl, dependency(purl, uses[name.length % uses.length] ?? 'unused')];
      }),
    );
    const body = report([...distinct.values()]);
    const uploads = `${pathOf('NodeGoat')}/reachability/usage-reports`;
    const upload = async (given: unknown) => {
      const begun = performance.now();
      const { status, body: answer } = await postern.call(organisation.writeKey, 'POST', uploads, given);
      expect(status, JSON.stringify(answer)).toBe(200);
      return { ...procedures.reachability.uploadUsageReport.output.parse(answer), ms: performance.now() - begun };
    };
    const before = await allOf(`${pathOf('NodeGoat')}/alerts`, z.object({ id: z.string(), tier: z.string() }));

    const first = await upload(body);
    expect(first).toMatchObject({ duplicate: false, verdicts: { created: 131, updated: 0, unchanged: 0 } });
    const verdicts = await allOf(
      `${pathOf('NodeGoat')}/reachability/verdicts`,
      procedures.reachability.getVerdict.output,
    );
    expect(verdicts.map(pairOf).sort()).toEqual(await pairsOf('NodeGoat'));
    expect(verdicts.filter(({ cve }) => cve === null)).toHaveLength(17);
    expect(new Set(verdicts.map(({ evidence }) => evidence.usage.class)).size).toBe(5);
    const scores = verdicts.map(({ effective_priority }) => effective_priority);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));

    const written = await rowVersions();
    const second = await upload(body);
    expect(second).toMatchObject({ duplicate: true, verdicts: { created: 0, updated: 0, unchanged: 131 } });
    // Another report that says the same of every package: kept, and no verdict is touched.
    const third = await upload({ ...body, generated_at: '2026-02-02T03:04:05.000Z' });
    expect(third).toMatchObject({ duplicate: false, verdicts: { created: 0, updated: 0, unchanged: 131 } });
    expect(await rowVersions()).toEqual(written);
    const after = await allOf(`${pathOf('NodeGoat')}/alerts`, z.object({ id: z.string(), tier: z.string() }));
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(after.sort(byId)).toEqual(before.sort(byId));
    const [ms, secondMs, thirdMs] = [first, second, third].map((each) => Math.round(each.ms));
    print(`NodeGoat, report of ${distinct.size} packages: 131 verdicts in ${ms} ms; the same again ${secondMs} ms,`);
    print(`  another report that changes nothing ${thirdMs} ms`);
  });

  /** Which transaction wrote each alert and verdict last. */
  async function rowVersions() {
    return database.system(async (tx) => {
      const { rows } = await sql<{ id: string; version: string }>`
        select id, xmin::text as version from verdicts union all select id, xmin::text from alerts
        order by id`.execute(tx);
      return rows;
    });
  }

  test('with every record loaded each project has what the other matcher finds, and the difference has its reasons', async () => {
    const before = new Map<string, string[]>();
    for (const { name } of locks) before.set(name, await pairsOf(name));
    const begun = performance.now();
    for (const file of readdirSync(dataFile('osv'))
      .filter((each) => each.endsWith('.ndjson'))
      .sort()) {
      if (file !== 'ghsa-npm.ndjson') await loadDataFile(database, 'osv', `osv/${file}`);
    }
    print(`the other OSV files loaded in ${Math.round(performance.now() - begun)} ms`);
    const records = recordFiles.flatMap((file) => readRecords(file).map((record) => ({ file, record })));
    for (const { name, ecosystem, file, read } of locks) {
      const packages = read(file);
      const found = records.flatMap(({ file: of, record }) => {
        const pairs = naivePairs(ecosystem, packages, [record]);
        return [...pairs].map((pair) => ({ pair, from: `${Object(record).id} of ${of}.ndjson` }));
      });
      const now = await pairsOf(name);
      expect(now, name).toEqual([...new Set(found.map(({ pair }) => pair))].sort());
      const known = new Set(before.get(name));
      expect(
        [...known].filter((pair) => !now.includes(pair)),
        `${name} lost`,
      ).toEqual([]);
      for (const added of now.filter((pair) => !known.has(pair))) {
        const from = found.filter(({ pair }) => pair === added).map((each) => each.from);
        expect(
          from.filter((each) => each.endsWith('ghsa-npm.ndjson')),
          added,
        ).toEqual([]);
        print(`${name}: ${added} is new, by ${from.join(', ')}`);
      }
      if (name === 'NodeGoat') expect(await pairsOf(name, 'reachability/verdicts')).toEqual(now);
      print(`${name}: ${known.size} pairs from ghsa-npm.ndjson, ${now.length} from all files`);
    }
  });
});
