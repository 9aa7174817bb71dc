import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginLoad } from '../../../src/service/feeds/feeds-table.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { type LoadContext, reconcileWith } from '../../../src/service/feeds/load-context.js';
import { hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { feedFile, ndjson } from '../feeds/feed-files.js';
import { loadRecords, record } from '../intelligence/organisation.js';
import { readRecords } from '../matching/records.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await publishedFixes(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

const newName = () => `pkg-${randomUUID()}`;
const later = { modified: '2025-06-01T00:00:00Z' };

/** A stack with one alert, on version 1.0.0 of a package. */
async function withAlert() {
  const [stack, name, id] = [await newStack(service), newName(), randomUUID()];
  await loadRecords(service, record(id, name));
  await stack.sync(`${name}@1.0.0`);
  const [alert] = await stack.alerts();
  expect(alert).toMatchObject({ status: 'open', resolved_at: null, resolution: null });
  const reasons = async () => (await stack.alerts()).map(({ status, resolution }) => [status, resolution]);
  return { stack, name, id, reasons };
}

const rangeOf = (name: string, fixed: string) => ({
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
});

describe('a resolved alert says why', () => {
  test('its package was removed, or upgraded; reopened, it says nothing', async () => {
    const { stack, name, reasons } = await withAlert();
    await stack.sync();
    expect(await reasons()).toEqual([['resolved', 'package_removed']]);
    await stack.sync(`${name}@1.0.0`);
    expect(await reasons()).toEqual([['open', null]]);
    await stack.sync(`${name}@2.0.0`);
    expect(await reasons()).toEqual([['resolved', 'upgraded']]);
    const [alert] = await stack.alerts();
    expect((await stack.call('GET', `/${alert?.id}`)).body).toMatchObject({ resolution: 'upgraded' });
  });

  test.each([
    ['OSV’s field', { withdrawn: '2025-06-01T00:00:00Z' }],
    ['its title', { summary: 'Withdrawn: not a flaw' }],
    ['its text', { details: '# Withdrawn\n\nThis advisory has been withdrawn because it is not a flaw.' }],
    ['OSV’s field, with its packages taken out', { withdrawn: '2025-06-01T00:00:00Z', affected: [] }],
  ])('its advisory was withdrawn, by %s', async (_, fields) => {
    const { id, name, reasons } = await withAlert();
    await loadRecords(service, record(id, name, { ...later, ...fields }));
    expect(await reasons()).toEqual([['resolved', 'advisory_withdrawn']]);
    await loadRecords(service, record(id, name, { modified: '2025-07-01T00:00:00Z' }));
    expect(await reasons()).toEqual([['open', null]]);
  });

  test('the advisory was corrected', async () => {
    const { id, name, reasons } = await withAlert();
    await loadRecords(service, record(id, name, { ...later, ...rangeOf(name, '0.9.0') }));
    expect(await reasons()).toEqual([['resolved', 'no_longer_affected']]);
  });

  test.each([
    ['the packages that the load has changed', false],
    ['all packages, after a load that was interrupted', true],
  ])('its advisory is about another package now, and none is left: found among %s', async (_, isInterrupted) => {
    const { id, name, reasons } = await withAlert();
    const reconciled: unknown[] = [];
    // An archive of OSV has records whole: what one does not name any more is gone.
    const loadArchive = async (content: object) => {
      const file = await feedFile(`${id}.ndjson`, ndjson([content]));
      const reconcile: LoadContext['reconcile'] = (touched) => {
        reconciled.push(touched);
        return reconcileWith(service.database)(touched);
      };
      const request = { kind: 'osv', file, part: 'npm', onBad: 'refuse', validator: null } as const;
      return loadFeed({ database: service.database, reconcile }, request);
    };
    await loadArchive(record(id, name));
    if (isInterrupted) await service.database.system((tx) => beginLoad(tx, 'osv:npm'));
    await loadArchive(record(id, newName(), later));
    expect(reconciled.at(-1)).toEqual(isInterrupted ? 'all' : [{ ecosystem: 'npm', package_name: name }]);
    expect(await reasons()).toEqual([['resolved', 'no_longer_affected']]);
  });

  test('it stays open while one of its advisories is valid', async () => {
    const [stack, name, cve] = [await newStack(service), newName(), `CVE-1992-${Math.floor(Math.random() * 1e15)}`];
    const [first, second] = [randomUUID(), randomUUID()];
    const aliases = [cve];
    await loadRecords(service, record(first, name, { aliases }), record(second, name, { aliases }));
    await stack.sync(`${name}@1.0.0`);
    await loadRecords(service, record(first, name, { aliases, ...later, summary: 'Withdrawn: duplicate' }));
    expect(await stack.alerts()).toMatchObject([{ status: 'open', advisory_ids: [second] }]);
    await loadRecords(service, record(second, name, { aliases, ...later, ...rangeOf(name, '0.9.0') }));
    expect(await stack.alerts()).toMatchObject([{ status: 'resolved', resolution: 'no_longer_affected' }]);
  });
});

test.skipIf(!hasData)('lodash 4.17.21 is clean, and 4.17.20 has a safe version', async () => {
  const prefix = newName();
  const lodash = readRecords('ghsa-npm').filter((each) => JSON.stringify(each).includes('"name":"lodash"'));
  const own = lodash.map((each) => {
    const text = JSON.stringify(each).replaceAll('"name":"lodash"', `"name":"${prefix}"`);
    return JSON.parse(text.replace(/"id":"GHSA/, `"id":"${prefix}`));
  });
  await loadRecords(service, ...own);
  const stack = await newStack(service);
  const check = async (version: string) => {
    const query = new URLSearchParams({ ecosystem: 'npm', name: prefix, version });
    return (await service.call(stack.key, 'GET', `/api/intelligence/package?${query}`)).body;
  };
  expect(await check('4.17.21')).toMatchObject({ total: 0 });
  expect(await check('4.17.20')).toMatchObject({ total: 2 });
  await stack.sync(`${prefix}@4.17.20`);
  const safe = { status: 'open', safe_version: '4.17.21' };
  expect(await stack.alerts()).toMatchObject([safe, safe]);
  await stack.sync(`${prefix}@4.17.21`);
  const resolved = { status: 'resolved', resolution: 'upgraded' };
  expect(await stack.alerts()).toMatchObject([resolved, resolved]);
});
