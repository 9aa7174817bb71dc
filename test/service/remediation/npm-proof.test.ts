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
import { folderWith } from '../../reach/folder.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from '../alerts/stack.js';
import { readRecords } from '../matching/records.js';

type Plan = z.output<typeof remediation.plan.output>;

const manifestShape = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  overrides: z.record(z.string(), z.string()).default({}),
});

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({ inBundle: z.boolean().default(false), optional: z.boolean().default(false) }),
  ),
});

/** What a lock file has; a lock file of the first version says nothing of bundles. */
async function lockedIn(folder: string) {
  const path = join(folder, 'package-lock.json');
  const { packages: places = {} } = lockShape.partial().parse(JSON.parse(readFileSync(path, 'utf8')));
  const { packages } = await readLockfile(path);
  return packages.map(({ key, name, version }) => {
    const { inBundle = false, optional = false } = places[key] ?? {};
    return { name, version, isHeld: inBundle || optional };
  });
}

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
function follow(manifest: z.output<typeof manifestShape>, upgrades: Plan['upgrades']): void {
  for (const { edits } of upgrades.flatMap(({ steps }) => steps)) {
    for (const { change } of edits) {
      const [, field, name = '', to = ''] = /^(?:(overrides): )?"([^"]+)": "([^"]+)"$/.exec(change) ?? [];
      expect(to, change).not.toBe('');
      if (field === 'overrides') manifest.overrides[name] = to;
      else if (name in manifest.devDependencies) manifest.devDependencies[name] = to;
      else manifest.dependencies[name] = to;
    }
  }
}

async function stackOf(folder: string) {
  const stack = await newStack(service);
  const path = `/api/projects/${stack.projectId}`;
  const sync = async () => {
    const { packages } = await readLockfile(join(folder, 'package-lock.json'));
    const body = { source: 'shop:package-lock.json', force: true, packages: syncedPackages(packages) };
    const answer = await service.call(stack.key, 'POST', `${path}/tech-stack/sync`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const rows = await stack.rows();
    const open = rows.filter(({ resolved_at }) => resolved_at === null);
    return new Set(open.map(({ package_name, vulnerability_id }) => `${package_name} ${vulnerability_id}`));
  };
  const plan = async () => {
    const { body } = await service.call(stack.key, 'GET', `${path}/remediation/plan?limit=50`);
    return remediation.plan.output.parse(body);
  };
  return { sync, plan };
}

const write = (folder: string, manifest: unknown) =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));

const resolve = (folder: string) =>
  npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps');

describe.skipIf(!canRun)(`a plan that npm’s own resolver makes (skipped where ${reason})`, () => {
  test('closes what it says: a project with direct, nested and several versions', async () => {
    const dependencies = { lodash: '4.17.11', mkdirp: '0.5.1', handlebars: '4.0.11', 'node-fetch': '2.6.0' };
    const folder = folderWith({ 'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', dependencies }) });
    await resolve(folder);
    const { sync, plan } = await stackOf(folder);
    const before = await sync();
    const planned = await plan();
    expect(planned.proof.open).toBe(before.size);
    const manifest = manifestShape.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    follow(manifest, planned.upgrades);
    write(folder, manifest);
    await resolve(folder);
    const after = await sync();
    expect(planned.proof.closes).toBeGreaterThan(5);
    expect(after.size).toBe(planned.proof.left);
  }, 600_000);

  test('closes what it says: NodeGoat', async () => {
    const folder = folderWith({});
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(dataFile(`lockfiles/nodegoat/${file}`), join(folder, file));
    const { sync, plan } = await stackOf(folder);
    const opened = await sync();
    const lockedBefore = await lockedIn(folder);
    const planned = await plan();
    expect(planned.proof.open).toBe(opened.size);
    const manifest = manifestShape.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    follow(manifest, planned.upgrades);
    write(folder, manifest);
    await resolve(folder);
    const after = await sync();
    const locked = await lockedIn(folder);
    // Out of an override's reach, which the stack does not know: what comes in the archive of another package, and locked
    // versions of optional dependencies, which npm keeps.
    const reached = planned.upgrades.filter(({ more_steps, package: name }) => {
      return more_steps === 0 && !locked.some((each) => each.name === name && each.isHeld);
    });
    const versionsOf = (name: string) => locked.filter((each) => each.name === name).map(({ version }) => version);
    // New versions of direct dependencies bring in versions that no plan can know.
    const before = new Set(lockedBefore.map(({ name, version }) => `${name} ${version}`));
    const foretold = reached.filter(({ package: name, steps }) => {
      const targets = new Set(steps.map(({ to }) => to));
      return versionsOf(name).every((version) => before.has(`${name} ${version}`) || targets.has(version));
    });
    expect(foretold.length).toBeGreaterThan(15);
    const left = foretold.map(({ package: name }) => [
      name,
      [...after].filter((each) => each.startsWith(`${name} `)).length,
    ]);
    expect(left).toEqual(foretold.map(({ package: name, leaves }) => [name, leaves]));
  }, 600_000);
});
