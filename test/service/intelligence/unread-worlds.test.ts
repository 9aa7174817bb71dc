import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { trivyReport } from '../scanners/trivy/trivy-report.js';
import { loadCovering, newProject, record, unique } from './organisation.js';
import { randomNumbers } from './random-feeds.js';
import { drawWorld, type WorldPackage } from './unread-worlds.js';

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

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

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
  for (let index = 0; index < worlds; index += 1) {
    const world = drawWorld(random, packages);
    const { source } = world;
    const { status, body } =
      'sbom' in source
        ? await service.call(organisation.writeKey, 'POST', `${path}/sbom?source=world&force=true`, source.sbom)
        : await service.call(organisation.writeKey, 'POST', `${path}/sync`, {
            source: 'world',
            force: true,
            unread: source.unread,
            // A project without any package is a gap of its own.
            packages: [{ purl: 'pkg:npm/own-of-the-worlds@1.0.0' }, ...source.packages],
          });
    expect([status, body]).toMatchObject([200, {}]);
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
