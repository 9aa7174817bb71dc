import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerAbout, readPackage } from '../../../src/service/intelligence/check-package.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { loadCovering } from '../coverage/covering-feed.js';
import { get, loadRecords, newProject, record, track, unique } from './organisation.js';

let service: TestService;
let organisation: TestOrganisation;

async function start() {
  service = await startService({ database: await ownDatabase() });
  organisation = await service.newOrganisation();
}
async function stop() {
  await service.close();
  await service.database.close();
}

const check = async (purl: string, asking = organisation) => {
  const answer = await get(service, asking, `/api/intelligence/package?${new URLSearchParams({ purl })}`);
  expect(answer.status).toBe(200);
  return answer.body;
};
const gapsOf = (body: unknown) => [at(body, 'coverage.gaps')].flat();

describe('on a fresh server', () => {
  beforeAll(start);
  afterAll(stop);

  test('nothing is known to be unaffected, and no version safe', async () => {
    const body = await check('pkg:pypi/django@1.0');
    expect(body).toMatchObject({
      total: 0,
      safe_version: null,
      as_of: { advisories: null, stale: true },
      coverage: {
        status: 'unknown',
        domains: [{ domain: 'dependencies', status: 'unknown' }],
        feeds: [{ ecosystem: 'PyPI', as_of: null, stale: true }],
        known: false,
      },
    });
    expect(gapsOf(body)).toContain('no feed that is loaded has all of PyPI');
  });

  test('a handful of advisories affects what it names, and clears nothing', async () => {
    const name = unique.name();
    await loadRecords(service, record(randomUUID(), name));
    expect(await check(`pkg:npm/${name}@1.0.0`)).toMatchObject({
      coverage: { status: 'affected' },
      safe_version: null,
    });
    expect(await check(`pkg:npm/${name}@2.0.0`)).toMatchObject({
      total: 0,
      coverage: { status: 'unknown', known: true },
      safe_version: null,
    });
  });
});

describe('with a complete and fresh feed of npm', () => {
  const lodash = unique.name();
  const broken = unique.name();
  const rangeless = unique.name();
  beforeAll(async () => {
    await start();
    const unread = { id: 'BROKEN-1', modified: 'no date', affected: [{ package: { ecosystem: 'npm', name: broken } }] };
    await loadCovering(service.database, ['npm'], {
      name: 'whole.ndjson',
      records: [
        record(randomUUID(), lodash),
        record(randomUUID(), broken),
        record('RANGELESS-1', rangeless, { affected: [{ package: { ecosystem: 'npm', name: rangeless } }] }),
      ],
      broken: [JSON.stringify(unread)],
    });
  });
  afterAll(stop);

  test('a known version that no advisory is about is not affected', async () => {
    const body = await check(`pkg:npm/${lodash}@2.0.0`);
    expect(body).toMatchObject({
      total: 0,
      safe_version: '2.0.0',
      coverage: {
        status: 'not_affected',
        domains: [{ domain: 'dependencies', status: 'not_affected' }],
        feeds: [{ ecosystem: 'npm', stale: false }],
        known: true,
        gaps: [],
      },
    });
    expect(at(body, 'as_of.advisories')).toBe(at(body, 'coverage.feeds.0.as_of'));
    expect(await check(`pkg:npm/${lodash}@1.0.0`)).toMatchObject({
      safe_version: '2.0.0',
      coverage: { status: 'affected', domains: [{ domain: 'dependencies', status: 'affected' }] },
    });
  });

  test('its age is not that of another ecosystem', async () => {
    expect(await check('pkg:pypi/django@1.0')).toMatchObject({
      as_of: { advisories: null },
      coverage: { status: 'unknown', feeds: [{ ecosystem: 'PyPI', as_of: null }] },
    });
  });

  test.each(['misspelt', 'in capitals'])('a name that is %s is unknown', async (how) => {
    const name = how === 'misspelt' ? `${lodash}s` : lodash.toUpperCase();
    const body = await check(`pkg:npm/${name}@2.0.0`);
    expect(body).toMatchObject({ coverage: { status: 'unknown', known: false }, safe_version: null });
    expect(gapsOf(body)).toEqual(['no advisory, health record or stack of yours names this package']);
  });

  test('a version above all that are known may not exist', async () => {
    const body = await check(`pkg:npm/${lodash}@999.0.0`);
    expect(body).toMatchObject({ coverage: { status: 'unknown', known: true }, safe_version: null });
    expect(gapsOf(body)).toEqual(['999.0.0 is above every version known here (2.0.0): it may not exist']);
  });

  test('a branch is unknown and never safe where an advisory has a range, and affected by one of every version', async () => {
    const [ranged, unfixed, quiet] = ['a', 'b', 'c'].map((last) => `${unique.name()}/${last}`);
    const everyVersion = [
      {
        package: { ecosystem: 'Packagist', name: unfixed },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
      },
    ];
    await loadCovering(service.database, ['Packagist'], {
      records: [
        record(randomUUID(), ranged ?? '', {}, 'Packagist'),
        record(randomUUID(), unfixed ?? '', { affected: everyVersion }, 'Packagist'),
      ],
    });
    const project = await newProject(service, organisation, unique.name());
    for (const name of [ranged, unfixed, quiet]) {
      await track(service, organisation, project, { ecosystem: 'Packagist', name: name ?? '', version: 'dev-master' });
    }
    const body = await check(`pkg:composer/${ranged}@dev-master`);
    expect(body).toMatchObject({ total: 0, coverage: { status: 'unknown' }, safe_version: null });
    expect(gapsOf(body)).toEqual(['dev-master has no place among versions: it cannot be compared']);
    expect(await check(`pkg:composer/${unfixed}@dev-master`)).toMatchObject({
      total: 1,
      coverage: { status: 'affected' },
      safe_version: null,
    });
    expect(await check(`pkg:composer/${quiet}@dev-master`)).toMatchObject({ coverage: { status: 'not_affected' } });
    expect(await check(`pkg:composer/${quiet}@dev-other`)).toMatchObject({ coverage: { status: 'unknown' } });
  });

  test('a tracked version that is affected has the same safe version here, in its alert and in the plan', async () => {
    const own = await service.newOrganisation();
    const modified = new Date().toISOString();
    const [release, branch] = [`${unique.name()}/release`, `${unique.name()}/branch`];
    await loadCovering(service.database, ['Packagist'], {
      records: [release, branch].map((name) => record(randomUUID(), name, { modified }, 'Packagist')),
    });
    const project = await newProject(service, own, unique.name());
    const tracked = [
      [release, '1.0.0', '2.0.0'],
      [branch, '1.x-dev', '2.0.0'],
    ] as const;
    for (const [name, version] of tracked)
      await track(service, own, project, { ecosystem: 'Packagist', name, version });
    const { body } = await get(service, own, `/api/projects/${project}/alerts`);
    for (const [name, version, safe_version] of tracked) {
      const row = [at(body, 'items')].flat().find((each) => at(each, 'package.name') === name);
      expect(row).toMatchObject({ safe_version, safe_version_status: 'unverified' });
      expect(await check(`pkg:composer/${name}@${version}`, own)).toMatchObject({
        ...{ safe_version, safe_version_status: 'unverified' },
        coverage: { status: 'affected' },
      });
    }
  });

  test('unless the organisation itself tracks that version; another one’s stack says nothing', async () => {
    const name = unique.name();
    const project = await newProject(service, organisation, unique.name());
    await track(service, organisation, project, { ecosystem: 'npm', name, version: '3.1.0' });
    await track(service, organisation, project, { ecosystem: 'npm', name: lodash, version: '7.0.0' });
    const stranger = await service.newOrganisation();
    expect(await check(`pkg:npm/${name}@3.1.0`)).toMatchObject({ coverage: { status: 'not_affected', known: true } });
    expect(await check(`pkg:npm/${name}@3.1.0`, stranger)).toMatchObject({
      coverage: { status: 'unknown', known: false },
      safe_version: null,
    });
    expect(await check(`pkg:npm/${lodash}@7.0.0`)).toMatchObject({ coverage: { status: 'not_affected' } });
    expect(await check(`pkg:npm/${lodash}@7.0.0`, stranger)).toMatchObject({ coverage: { status: 'unknown' } });
    expect(gapsOf(await check(`pkg:npm/${name}@4.0.0`))).toEqual([expect.stringContaining('(3.1.0)')]);
  });

  test('a package that an unread record names is not covered, and the others are', async () => {
    const body = await check(`pkg:npm/${broken}@2.0.0`);
    expect(body).toMatchObject({ coverage: { status: 'unknown' }, safe_version: null });
    expect(gapsOf(body)).toEqual([
      'osv:whole.ndjson, line 1 is about this package and cannot be read: modified is not a date such as 2025-08-15T00:00:00Z',
    ]);
  });

  test('an advisory without versions leaves its package unknown', async () => {
    const body = await check(`pkg:npm/${rangeless}@1.0.0`);
    expect(body).toMatchObject({ total: 0, coverage: { status: 'unknown' }, safe_version: null });
    expect(gapsOf(body)).toContain('RANGELESS-1 does not say which versions it affects');
  });
});

describe('with feeds that lack something', () => {
  beforeAll(start);
  afterAll(stop);

  test('a stale one calls no version safe, and says how old it is', async () => {
    const [name, publishedAt] = [unique.name(), new Date('2026-01-01T00:00:00Z')];
    await loadCovering(service.database, ['Maven'], {
      records: [record(randomUUID(), `g:${name}`, {}, 'Maven')],
      publishedAt,
    });
    const now = new Date('2026-01-31T12:00:00Z');
    const named = { ecosystem: 'Maven', name: `g:${name}`, version: '2.0.0' } as const;
    const answer = await service.database.tenant(organisation.id, async (tx) =>
      answerAbout(named, await readPackage({ tx, organisationId: organisation.id, now }, named), {
        registry: null,
        now,
      }),
    );
    expect(answer).toMatchObject({
      safe_version: null,
      safe_version_status: null,
      coverage: {
        status: 'unknown',
        gaps: ['the advisories of Maven are of 2026-01-01, 30 days old'],
        feeds: [{ ecosystem: 'Maven', as_of: publishedAt, stale: true }],
      },
    });
  });

  test.each<[string, string]>([
    ['is not JSON', '{"id": "GHSA-cut-off", "affec'],
    ['names its packages in no way that can be read', '{"id": 7, "affected": [{"package": "a"}]}'],
  ])('a record that %s is a gap of all ecosystems of its feed', async (_, line) => {
    const [npm, pypi] = [unique.name(), unique.name()];
    const name = `${randomUUID()}.ndjson`;
    const records = [record(randomUUID(), npm), record(randomUUID(), pypi, {}, 'PyPI')];
    await loadCovering(service.database, ['npm'], { name, records, broken: [line] });
    await loadCovering(service.database, ['PyPI', 'RubyGems']);
    for (const purl of [`pkg:npm/${npm}@2.0.0`, `pkg:pypi/${pypi}@2.0.0`]) {
      const body = await check(purl);
      expect(body).toMatchObject({ coverage: { status: 'unknown' }, safe_version: '2.0.0' });
      expect(gapsOf(body)).toContainEqual(expect.stringContaining(`osv:${name}: 1 record cannot be read`));
    }
    await loadCovering(service.database, ['npm'], { name, records });
    expect(await check(`pkg:npm/${npm}@2.0.0`)).toMatchObject({ coverage: { status: 'not_affected' } });
  });

  test('one that was interrupted covers nothing until it is loaded to its end', async () => {
    const ecosystem: Ecosystem = 'NuGet';
    const name = unique.name();
    await loadCovering(service.database, [ecosystem], {
      name: 'i.ndjson',
      records: [record(randomUUID(), name, {}, ecosystem)],
    });
    expect(await check(`pkg:nuget/${name}@2.0.0`)).toMatchObject({ coverage: { status: 'not_affected' } });
    await service.database.system((tx) =>
      tx.updateTable('feeds').set({ content_hash: null }).where('name', '=', 'osv:i.ndjson').execute(),
    );
    expect(await check(`pkg:nuget/${name}@2.0.0`)).toMatchObject({
      coverage: { status: 'unknown', feeds: [{ ecosystem, as_of: null }] },
      safe_version: null,
    });
  });
});
