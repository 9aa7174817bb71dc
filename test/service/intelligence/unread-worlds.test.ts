import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { trivyReport } from '../scanners/trivy/trivy-report.js';
import { loadCovering, newProject, record, unique } from './organisation.js';
import { randomNumbers } from './random-feeds.js';
import { drawWorld, type WorldPackage, type WorldSource } from './unread-worlds.js';

/** More by hand: `UNREAD_WORLDS=10000 npm test -- test/service/intelligence/unread-worlds.test.ts`. */
const worlds = Number(process.env['UNREAD_WORLDS'] ?? 400);

const packages: readonly WorldPackage[] = (
  [
    ['npm', '@acme/world-core', ['world-core', 'World-Core', 'acme/world-core']],
    ['npm', 'world.bars.js', ['world.bars', 'worldbars.js', 'WORLD.BARS.JS']],
    ['PyPI', 'World.Interface_x', ['world-interface-x', 'World_Interface_X']],
    ['PyPI', 'worlddjango', ['worlddjango', 'WorldDjango', 'worlddjango-4.2.0']],
    ['Maven', 'org.acme.world:world-beans', ['world-beans', 'world-beans-5.3.1.jar', 'org.acme.world:world-beans']],
    ['Go', 'github.com/acme/worldtool/v2', ['worldtool', 'acme/worldtool', 'github.com/acme/worldtool']],
    ['Go', 'gopkg.in/worldyaml.v3', ['worldyaml', 'worldyaml.v3']],
    ['crates.io', 'world_serde', ['world-serde', 'world_serde']],
    ['RubyGems', 'worldpack', ['worldpack', 'worldpack-5.0.0.gem']],
    ['Packagist', 'acme/world-kernel', ['world-kernel', 'acme/world-kernel', 'World Kernel']],
    ['NuGet', 'Acme.World.Json', ['Acme.World.Json', 'acme.world.json.dll']],
  ] as const
).map(([ecosystem, name, loose]) => ({ ecosystem, name, loose, cve: unique.cve() }));

let folder: string;
let database: Database;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worlds-'));
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** What a source of the world before becomes that this one has not. */
const emptied: WorldSource = { kind: 'sync', packages: [], unread: [] };

/** Sends a source as its tool does: a lock file is read by its reader. */
async function send(path: string, key: string, source: string, sent: WorldSource) {
  if (sent.kind === 'document') {
    return service.call(key, 'POST', `${path}/sbom?source=${source}&force=true`, sent.document);
  }
  // A project without any package is a gap of its own.
  const seen = source === 'source-0' ? [{ purl: 'pkg:npm/own-of-the-worlds@1.0.0' }] : [];
  if (sent.kind === 'sync') {
    const body = { source, force: true, unread: sent.unread, packages: [...seen, ...sent.packages] };
    return service.call(key, 'POST', `${path}/sync`, body);
  }
  const { file, text } = sent.file;
  await writeFile(join(folder, file), text);
  const { packages, unread } = await readLockfile(join(folder, file));
  return service.call(key, 'POST', `${path}/sync`, { source, force: true, unread, packages: syncedPackages(packages) });
}

test(`of ${worlds} worlds none answers not_affected where the package is there and could not be placed`, {
  timeout: 3_600_000,
}, async () => {
  const modified = new Date().toISOString();
  for (const ecosystem of new Set(packages.map((each) => each.ecosystem))) {
    const records = packages
      .filter((each) => each.ecosystem === ecosystem)
      .map(({ name, cve }) => {
        const range = { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0.0' }] };
        const affected = [{ package: { ecosystem, name }, ranges: [range] }];
        return record(unique.name(), name, { aliases: [cve], modified, affected });
      });
    await loadCovering(service, [ecosystem], ...records);
  }
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'world');
  const scanned = { ...trivyReport('acme/world:1', []), CreatedAt: new Date().toISOString() };
  await inProject(service, organisation.writeKey, project, organisation).scan(scanned);
  const path = `/api/projects/${project}/tech-stack`;
  const random = randomNumbers(28);
  const counts = new Map<unknown, number>();
  const wrong: string[] = [];
  let filled = 0;
  for (let index = 0; index < worlds; index += 1) {
    const world = drawWorld(random, packages);
    for (let nth = 0; nth < Math.max(filled, world.sources.length); nth += 1) {
      const { status, body } = await send(path, organisation.writeKey, `source-${nth}`, world.sources[nth] ?? emptied);
      expect([status, body]).toMatchObject([200, {}]);
    }
    filled = world.sources.length;
    const answer = await service.call(
      organisation.readKey,
      'GET',
      `/api/intelligence/exposed?cve=${world.asked.cve}&page_size=1`,
    );
    const said = at(answer.body, 'coverage.status');
    counts.set(said, (counts.get(said) ?? 0) + 1);
    // Evidence may raise the answer about a version that cannot be read, never about a package that is clear.
    const isWrong = world.isAffected ? said === 'not_affected' : world.isClear && said !== 'not_affected';
    if (isWrong) wrong.push(JSON.stringify({ said, world, coverage: at(answer.body, 'coverage.gaps') }));
  }
  expect(wrong).toEqual([]);
  for (const status of ['affected', 'not_affected', 'unknown']) expect(counts.get(status)).toBeGreaterThan(worlds / 50);
  if (worlds > 1_000) console.info(Object.fromEntries(counts));
});
