import { once } from 'node:events';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { learnVersions } from '../../../src/service/registries/learn-versions.js';
import { createRegistryLookup } from '../../../src/service/registries/registry-lookup.js';
import { broughtIn } from '../../../src/service/remediation/plan-with-releases.js';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { portOf } from '../../support/upstream.js';
import { newStack } from '../alerts/stack.js';
import { cvssOf, loadRecords, record, unique } from '../intelligence/organisation.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await freshAdvisories(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

/** A registry of npm that has these versions of every package, and the paths that were asked for. */
async function registryWith(versions: readonly string[]) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.end(JSON.stringify({ versions: Object.fromEntries(versions.map((each) => [each, {}])) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lookup = createRegistryLookup({
    database: service.database,
    urls: { npm: `http://127.0.0.1:${portOf(server.address())}` },
    timeoutMs: 20_000,
  });
  onTestFinished(async () => {
    await lookup.close();
    server.closeAllConnections();
    server.close();
  });
  return { asked, lookup };
}

describe('check_package, alerts, top risks and the plan propose the same version of a package', () => {
  let name: string;
  let stack: Awaited<ReturnType<typeof newStack>>;
  beforeEach(async () => {
    name = unique.name();
    await loadRecords(service, record(unique.name(), name, cvssOf('AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')));
    stack = await newStack(service);
    await stack.sync(`${name}@1.0.0`);
  });

  const read = async (path: string) => (await service.call(stack.organisation.readKey, 'GET', path)).body;

  /** What each of the four says: the version, and whether it was published. */
  async function proposals() {
    const purl = new URLSearchParams({ purl: `pkg:npm/${name}@1.0.0` });
    const checked = await read(`/api/intelligence/package?${purl}`);
    const [alert] = await stack.alerts();
    const one = await read(`/api/projects/${stack.projectId}/alerts/${alert?.id}`);
    const risks = await read(`/api/posture/dependencies/risks?project_id=${stack.projectId}`);
    const plan = await read(`/api/projects/${stack.projectId}/remediation/plan`);
    return {
      plan,
      one,
      said: [
        [at(checked, 'safe_version'), at(checked, 'safe_version_status')],
        [alert?.safe_version, alert?.safe_version_status],
        [at(one, 'safe_version'), at(one, 'safe_version_status')],
        [at(risks, 'risks.0.fix.steps.0.to'), at(risks, 'risks.0.fix.steps.0.status')],
        [at(plan, 'upgrades.0.steps.0.to') ?? null, at(plan, 'upgrades.0.steps.0.status') ?? null],
      ],
    };
  }
  const five = (version: string | null, status: string | null) => Array.from({ length: 5 }, () => [version, status]);

  test('unverified where only an advisory names it, and then nothing in the plan is certain', async () => {
    const { said, plan, one } = await proposals();
    expect(said).toEqual(five('2.0.0', 'unverified'));
    expect(at(plan, 'proof')).toMatchObject({ closes: 0, may_close: 1, left: 0 });
    expect(at(one, 'fix.as_of')).toEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT/));
  });

  test('published where a stack of the organisation has it', async () => {
    await stack.add(name, '2.0.0');
    const { said, plan } = await proposals();
    expect(said).toEqual(five('2.0.0', 'published'));
    expect(at(plan, 'proof')).toMatchObject({ closes: 1, may_close: 0, left: 0 });
  });

  test('published where a feed lists it among affected versions of an advisory that was withdrawn', async () => {
    const affected = [{ package: { ecosystem: 'npm', name }, versions: ['2.0.0'] }];
    await loadRecords(service, record(unique.name(), name, { affected, withdrawn: '2025-02-01T00:00:00Z' }));
    expect((await proposals()).said).toEqual(five('2.0.0', 'published'));
  });

  test('the next one where the registry never had that which the advisory names', async () => {
    const { asked, lookup } = await registryWith(['1.0.0', '1.9.9', '2.1.0-rc.1', '2.0.1', '2.1.0']);
    await learnVersions(service.database, lookup, broughtIn);
    expect((await proposals()).said).toEqual(five('2.0.1', 'published'));
    expect(asked).toContain(`/${name}`);
    const times = asked.length;
    await learnVersions(service.database, lookup, broughtIn);
    expect(asked).toHaveLength(times);
  });

  test('none where the registry has no version that is safe', async () => {
    const { lookup } = await registryWith(['1.0.0', '1.9.9']);
    await learnVersions(service.database, lookup, broughtIn);
    expect((await proposals()).said).toEqual(five(null, null));
  });

  test('what a registry without the package answers denies nothing', async () => {
    const { lookup } = await registryWith([]);
    await learnVersions(service.database, lookup, broughtIn);
    expect((await proposals()).said).toEqual(five('2.0.0', 'unverified'));
  });

  test('none where a record about the package cannot be read', async () => {
    await service.database.system((tx) =>
      sql`
        insert into unread_records (feed, place, at, field, problem, packages)
        values ('osv:fresh', 0, 'line 1', 'id', 'is not there', ${[`npm ${name}`]})`.execute(tx),
    );
    expect((await proposals()).said).toEqual(five(null, null));
  });

  test('none where the advisories are over 7 days old, which the alert and the plan say', async () => {
    const setAge = (days: number) =>
      service.database.system((tx) =>
        sql`update feeds set published_at = now() - make_interval(days => ${days}) where name = 'osv:fresh'`.execute(
          tx,
        ),
      );
    onTestFinished(async () => {
      await setAge(0);
    });
    await setAge(8);
    const { said, one, plan } = await proposals();
    expect(said).toEqual(five(null, null));
    expect(at(one, 'no_fix')).toBe('old_advisories');
    expect(at(plan, 'stays_open.worst.0.why')).toBe('old_advisories');
    await setAge(6);
    expect((await proposals()).said).toEqual(five('2.0.0', 'unverified'));
  });
});

describe('a registry is asked for all versions by the paths that it documents', () => {
  const crates = '{"vers":"1.0.0"}\n{"vers":"1.1.0"}\n';
  test.each<[Ecosystem, string, string, string]>([
    ['npm', '@scope/name', '/%40scope%2Fname', '{"versions":{"1.0.0":{},"1.1.0":{}}}'],
    ['PyPI', 'My_Package', '/simple/my-package/', '{"versions":["1.0.0","1.1.0"]}'],
    ['Go', 'github.com/Azure/x', '/github.com/!azure/x/@v/list', '1.0.0\n1.1.0\n'],
    ['crates.io', 'Serde', '/se/rd/serde', crates],
    [
      'Maven',
      'org.a:b',
      '/org/a/b/maven-metadata.xml',
      '<metadata><versioning><versions><version>1.0.0</version><version>1.1.0</version></versions></versioning></metadata>',
    ],
    ['RubyGems', 'rack', '/api/v1/versions/rack.json', '[{"number":"1.0.0"},{"number":"1.1.0"}]'],
    ['NuGet', 'A.B', '/a.b/index.json', '{"versions":["1.0.0","1.1.0"]}'],
    ['Packagist', 'A/b', '/p2/a/b.json', '{"packages":{"a/b":[{"version":"1.0.0"},{"version":"1.1.0"}]}}'],
  ])('%s', async (ecosystem, name, path, body) => {
    const answers = new Map([[path, { status: 200, body }]]);
    const server = createServer((req, res) => {
      const answer = answers.get(req.url ?? '') ?? { status: 404, body: '' };
      res.writeHead(answer.status).end(answer.body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${portOf(server.address())}`;
    const { database } = service;
    const urls = Object.fromEntries(ecosystems.map((each) => [each, url]));
    const lookup = createRegistryLookup({ database, urls, timeoutMs: 20_000 });
    onTestFinished(async () => {
      await lookup.close();
      server.closeAllConnections();
      server.close();
    });
    const versionsOf = async (package_name: string, given: string) => {
      await lookup.learnVersions(async () => [{ ecosystem, package_name, name: given }]);
      const rows = await database.system((tx) =>
        tx
          .selectFrom('registry_versions')
          .select('versions')
          .where('ecosystem', '=', ecosystem)
          .where('package_name', '=', package_name)
          .execute(),
      );
      return rows.map(({ versions }) => versions.toSorted());
    };
    expect(await versionsOf('known', name)).toEqual([['1.0.0', '1.1.0']]);
    expect(await versionsOf('absent', `${name}x`)).toEqual([[]]);
    expect(await versionsOf('elsewhere', 'a/../b')).toEqual([[]]);
    answers.set(path, { status: 200, body: 'hello <nonsense' });
    const nonsense = await versionsOf('nonsense', name);
    expect(nonsense).toEqual(ecosystem === 'Go' ? [['hello <nonsense']] : []);
    answers.set(path, { status: 503, body: '' });
    expect(await versionsOf('down', name)).toEqual([]);
  });
});
