import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRegistryLookup } from '../../../src/service/registries/registry-lookup.js';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService } from '../../support/service.js';
import { portOf } from '../../support/upstream.js';
import { newStack } from '../alerts/stack.js';
import { loadCovering, loadRecords, record } from '../intelligence/organisation.js';

/** Installed, named as fixed by advisories of February 2025, and what the registry of this test has beside the installed one. */
const cases = [
  {
    name: 'lunary',
    installed: '1.2.5',
    fixed: '1.4.10',
    published: ['1.4.9', '1.4.25', '1.5.0-rc.1'],
    proposed: '1.4.25',
  },
  { name: 'xlsx', installed: '0.18.5', fixed: '0.20.2', published: ['0.18.4'], proposed: null },
  { name: 'node-uuid', installed: '1.4.3', fixed: '1.4.4', published: ['1.4.2', '1.4.7', '1.4.8'], proposed: '1.4.7' },
  { name: 'vue-template-compiler', installed: '2.7.14', fixed: '3.0.0', published: ['2.7.16'], proposed: null },
];

/** The records of February 2025 that name these packages, of a feed that has all of npm. */
function recordsOf(names: readonly string[]): object[] {
  const lines = readFileSync(dataFile('osv/ghsa-npm.ndjson'), 'utf8').split('\n');
  return lines
    .filter((line) => names.some((name) => line.includes(`"name":"${name}"`)))
    .map((line) => JSON.parse(line));
}

/** A service with those advisories, and a stack of those packages. `asking` starts another one on its database, with a registry. */
async function world() {
  const service = await startService({ database: await ownDatabase() });
  onTestFinished(async () => {
    await service.close();
    await service.database.close();
  });
  await loadCovering(service, ['npm'], ...recordsOf(cases.map(({ name }) => name)));
  const stack = await newStack(service);
  await stack.sync(...cases.map(({ name, installed }) => `${name}@${installed}`));
  const read = async (path: string, by = service) => (await by.call(stack.organisation.readKey, 'GET', path)).body;
  const check = (name: string, version: string, by = service) =>
    read(`/api/intelligence/package?${new URLSearchParams({ purl: `pkg:npm/${name}@${version}` })}`, by);
  return {
    service,
    check,
    makeFresh: () => service.database.system((tx) => sql`update feeds set published_at = now()`.execute(tx)),
    /** What check_package, the alerts and the plan propose for each package. */
    async proposals() {
      const upgrades = at(await read(`/api/projects/${stack.projectId}/remediation/plan?limit=50`), 'upgrades');
      const steps = new Map(
        (Array.isArray(upgrades) ? upgrades : []).map((each) => [at(each, 'package'), at(each, 'steps.0')]),
      );
      const alerts = await stack.alerts();
      return Promise.all(
        cases.map(async ({ name, installed }) => {
          const checked = await check(name, installed);
          const own = alerts.filter((each) => at(each, 'package.name') === name);
          const said = [
            [at(checked, 'safe_version'), at(checked, 'safe_version_status')],
            ...own.map((each) => [each.safe_version, each.safe_version_status]),
            [at(steps.get(name), 'to') ?? null, at(steps.get(name), 'status') ?? null],
          ];
          return [name, ...new Set(said.map((each) => JSON.stringify(each)))];
        }),
      );
    },
  };
}

describe.skipIf(!hasData)('versions that advisories name and nobody has published', () => {
  const none = JSON.stringify([null, null]);

  test('are not proposed by the feed of that day, which the answer names', async () => {
    const { check, proposals } = await world();
    expect(await proposals()).toEqual(cases.map(({ name }) => [name, none]));
    const checked = await check('lunary', '1.2.5');
    expect(at(checked, 'as_of.advisories')).toEqual(expect.stringMatching(/^2024-11-25T/));
    expect(at(checked, 'coverage.gaps')).toContainEqual(expect.stringMatching(/are of 2024-11-25, \d+ days old/));
  });

  test('are unverified by a feed of today, where no registry is asked', async () => {
    const { makeFresh, proposals } = await world();
    await makeFresh();
    expect(await proposals()).toEqual(cases.map(({ name, fixed }) => [name, JSON.stringify([fixed, 'unverified'])]));
  });

  test('are replaced by the next one that the registry has and nothing affects, or by none', async () => {
    const { service, check, makeFresh, proposals } = await world();
    await makeFresh();
    const server = createServer((req, res) => {
      const known = cases.find(({ name }) => req.url === `/${name}`);
      const versions = known === undefined ? [] : [known.installed, ...known.published];
      res.writeHead(known === undefined ? 404 : 200);
      res.end(JSON.stringify({ versions: Object.fromEntries(versions.map((each) => [each, {}])) }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const urls = { npm: `http://127.0.0.1:${portOf(server.address())}` };
    const lookup = createRegistryLookup({ database: service.database, urls, timeoutMs: 20_000 });
    const asking = await startService({ database: service.database, registries: lookup });
    onTestFinished(async () => {
      await asking.close();
      await lookup.close();
      server.closeAllConnections();
      server.close();
    });
    // A question about a package learns its versions, which the alerts and the plan then know too.
    for (const { name, installed } of cases) await check(name, installed, asking);
    expect(await proposals()).toEqual(
      cases.map(({ name, proposed }) => [name, proposed === null ? none : JSON.stringify([proposed, 'published'])]),
    );
  });
});

test('a malicious release is no safe version, by a feed that is too old to know it and by one that does', async () => {
  const service = await startService({ database: await ownDatabase() });
  const stack = await newStack(service);
  const safeOf = async (version: string) => {
    const query = new URLSearchParams({ purl: `pkg:npm/chalk@${version}` });
    return at(
      (await service.call(stack.organisation.readKey, 'GET', `/api/intelligence/package?${query}`)).body,
      'safe_version',
    );
  };
  try {
    const flaw = record('GHSA-a', 'chalk', {
      affected: [
        {
          package: { ecosystem: 'npm', name: 'chalk' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '5.6.1' }] }],
        },
        {
          package: { ecosystem: 'npm', name: 'chalk' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '5.6.1' }, { fixed: '5.6.2' }] }],
        },
      ],
    });
    await loadCovering(service, ['npm'], { ...flaw, affected: flaw.affected.slice(0, 1) });
    expect([await safeOf('5.6.0'), await safeOf('5.6.1')]).toEqual([null, null]);
    const fresh = { modified: new Date().toISOString() };
    await loadCovering(service, ['npm'], { ...flaw, ...fresh });
    await loadRecords(service, {
      ...record('MAL-2025-46969', 'chalk', { ...fresh }),
      affected: [{ package: { ecosystem: 'npm', name: 'chalk' }, versions: ['5.6.1'] }],
    });
    expect([await safeOf('5.6.0'), await safeOf('5.6.1')]).toEqual(['5.6.2', '5.6.2']);
  } finally {
    await service.close();
    await service.database.close();
  }
});
