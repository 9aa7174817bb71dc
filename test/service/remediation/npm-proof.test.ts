import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { remediation } from '../../../src/procedures/remediation.js';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { toRow } from '../../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { loadGraph } from '../../../src/service/remediation/kept-packages.js';
import { loadPlanPackages } from '../../../src/service/remediation/load-plan.js';
import { planProject } from '../../../src/service/remediation/project-plan.js';
import type { Fate } from '../../../src/service/remediation/replay.js';
import { folderWith } from '../../reach/folder.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from '../alerts/stack.js';
import { readRecords } from '../matching/records.js';

const manifestShape = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  overrides: z.record(z.string(), z.string()).default({}),
});

const npm = async (folder: string, ...args: string[]) =>
  (await promisify(execFile)('npm', args, { cwd: folder, timeout: 400_000, maxBuffer: 64_000_000 })).stdout;

const hasRegistry = await npm('.', 'view', 'minimist@1.2.8', 'version', '--fetch-retries=0').then(
  (version) => version.trim() === '1.2.8',
  () => false,
);
const reason = hasRegistry ? 'the real data is absent' : 'no npm registry can be reached';

/** A database of its own: it holds the real advisories, which other tests do not expect. */
let database: Database;
let service: TestService;
const canRun = hasData && hasRegistry;
beforeAll(async () => {
  if (!canRun) return;
  database = await ownDatabase();
  await publishedFixes(database);
  service = await startService({ database });
  const advisories = readRecords('ghsa-npm').map((record) => toAdvisory(osvRecordSchema.parse(record)));
  await database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
}, 240_000);
afterAll(async () => {
  if (!canRun) return;
  await service.close();
  await database.close();
});

/** Writes what the plan says into the manifest, word by word. */
function follow(manifest: z.output<typeof manifestShape>, edits: readonly string[]): void {
  for (const change of edits) {
    const [, field, name = '', to = ''] = /^(?:(overrides): )?"([^"]+)": "([^"]+)"$/.exec(change) ?? [];
    expect(to, change).not.toBe('');
    if (field === 'overrides') manifest.overrides[name] = to;
    else if (name in manifest.devDependencies) manifest.devDependencies[name] = to;
    else if (name in manifest.optionalDependencies) manifest.optionalDependencies[name] = to;
    else manifest.dependencies[name] = to;
  }
}

const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];

interface Given {
  readonly manifest: unknown;
  /** Null: npm makes it. */
  readonly lockfile: string | null;
}

/** The sizes of a comparison: alerts before, what the plan says of them, and what npm’s result has. */
interface Compared {
  readonly before: number;
  readonly closes: number;
  readonly mayClose: number;
  readonly left: number;
  readonly after: number;
  /** That new versions brought in. */
  readonly opened: number;
  /** Packages whose fixed version an advisory names, and the registry does not have. */
  readonly missing: readonly string[];
}

/** Plans, edits, lets npm resolve, syncs what it wrote, and holds every certain word of the plan against the alerts then. */
async function prove({ manifest: given, lockfile }: Given): Promise<Compared> {
  const manifest = manifestShape.parse(given);
  const folder = folderWith({ 'package.json': JSON.stringify(manifest) });
  const path = join(folder, 'package-lock.json');
  if (lockfile === null) await npm(folder, 'install', ...flags);
  else copyFileSync(lockfile, path);
  const stack = await newStack(service);
  const url = `/api/projects/${stack.projectId}`;
  const sync = async () => {
    const { packages } = await readLockfile(path);
    const body = { source: 'shop:package-lock.json', force: true, packages: syncedPackages(packages) };
    const answer = await service.call(stack.key, 'POST', `${url}/tech-stack/sync`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (await stack.rows()).filter(({ resolved_at }) => resolved_at === null);
  };
  const before = await sync();
  const { body } = await service.call(stack.key, 'GET', `${url}/remediation/plan?limit=50`);
  const { proof, run } = remediation.plan.output.parse(body);
  const { project } = stack;
  const { upgrades, fates } = await database.tenant(project.organisationId, async (tx) => {
    const { packages } = await loadPlanPackages({ tx, now: new Date() }, project);
    return planProject(packages, await loadGraph(tx, project));
  });
  const having = (fate: Fate) => before.filter(({ id }) => fates.get(id) === fate);
  const [closed, unknown, left] = [having('closed'), having('unknown'), having('left')];
  expect(proof).toEqual({
    ...{ open: before.length, closes: closed.length, may_close: unknown.length, left: left.length, not_planned: 0 },
  });
  const missing = new Set<string>();
  while (upgrades.length > 0) {
    const made = upgrades.filter(({ closed: [{ name }] }) => !missing.has(name ?? ''));
    const edited = structuredClone(manifest);
    follow(
      edited,
      made.flatMap(({ steps }) => steps.flatMap((step) => step.edits.map(({ change }) => change))),
    );
    writeFileSync(join(folder, 'package.json'), JSON.stringify(edited, null, 2));
    expect(run[0]).toBe('npm install');
    const unknownVersion = await npm(folder, 'install', ...flags).then(
      () => null,
      (error: unknown) => /No matching version found for (\S+)@/.exec(String(error))?.[1] ?? Promise.reject(error),
    );
    if (unknownVersion === null) {
      await npm(folder, 'update', ...made.map(({ closed: [{ name }] }) => name ?? ''), ...flags);
      break;
    }
    expect(missing.has(unknownVersion), unknownVersion).toBe(false);
    missing.add(unknownVersion);
  }
  const after = await sync();
  const open = new Set(after.map(({ id }) => id));
  const wordsOf = ({ package_name, vulnerability_id, versions }: (typeof before)[number]) =>
    `${package_name} ${vulnerability_id} ${versions.join(', ')}`;
  const made = closed.filter(({ package_name }) => !missing.has(package_name));
  expect(made.filter(({ id }) => open.has(id)).map(wordsOf), 'said to close, and open').toEqual([]);
  expect(left.filter(({ id }) => !open.has(id)).map(wordsOf), 'said to stay, and closed').toEqual([]);
  const known = new Set(before.map(({ id }) => id));
  const opened = after.filter(({ id }) => !known.has(id));
  return {
    ...{ before: before.length, closes: closed.length, mayClose: unknown.length, left: left.length },
    ...{ after: after.length, opened: opened.length, missing: [...missing] },
  };
}

const readManifest = (path: string): unknown => JSON.parse(readFileSync(dataFile(path), 'utf8'));

/** Alerts that new versions bring in, which no plan foretells: the registry decides how many. */
const maxOpened = 10;

/** What a lock file itself says of its project’s manifest. */
const rootShape = z.object({ packages: z.object({ '': manifestShape }) });

describe.skipIf(!canRun)(`what is certain of a plan is what npm’s own resolver does (skipped where ${reason})`, () => {
  test('direct, nested and several versions', async () => {
    const dependencies = { lodash: '4.17.11', mkdirp: '0.5.1', handlebars: '4.0.11', 'node-fetch': '2.6.0' };
    const compared = await prove({ manifest: { name: 'shop', version: '1.0.0', dependencies }, lockfile: null });
    expect(compared).toMatchObject({ mayClose: 0, left: 0, after: 0 });
    expect(compared.closes).toBeGreaterThan(5);
  }, 600_000);

  test('NodeGoat: 131 alerts, of which 57 close and 74 stay, most in the archives of other packages', async () => {
    const manifest = readManifest('lockfiles/nodegoat/package.json');
    const compared = await prove({ manifest, lockfile: dataFile('lockfiles/nodegoat/package-lock.json') });
    expect(compared).toMatchObject({ before: 131, closes: 57, mayClose: 0, left: 74, missing: [] });
    expect(compared.opened).toBeLessThan(maxOpened);
  }, 600_000);

  test('Juice Shop of 2018: 139 alerts, of which 75 close, 2 are unsure and 62 stay', async () => {
    const manifest = manifestShape.parse(readManifest('lockfiles/juice-shop/ftp-package.json.bak'));
    // It asks for a version that no registry has; the lock file has another.
    manifest.devDependencies['eslint-scope'] = '3.7.3';
    const lockfile = dataFile('lockfiles/juice-shop/ftp-package-lock.json.bak');
    const compared = await prove({ manifest, lockfile });
    // An advisory names a fixed version of it that was never published.
    expect(compared).toMatchObject({ before: 139, closes: 75, mayClose: 2, left: 62, missing: ['ecstatic'] });
    expect(compared.opened).toBeLessThan(maxOpened);
  }, 600_000);

  test('Juice Shop of 2026: 36 alerts, of which 31 close and 5 stay', async () => {
    const lockfile = dataFile('lockfiles/juice-shop/package-lock.generated-2026-11-21.json');
    const { packages } = rootShape.parse(JSON.parse(readFileSync(lockfile, 'utf8')));
    const compared = await prove({ manifest: packages[''], lockfile });
    expect(compared).toMatchObject({ before: 36, closes: 31, mayClose: 0, left: 5, missing: [] });
    expect(compared.opened).toBeLessThan(maxOpened);
  }, 600_000);
});
