import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newStack as newAlertStack } from '../alerts/stack.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const list = (names: string, version = '1.0.0') => [...names].map((name) => ({ purl: `pkg:npm/${name}@${version}` }));

describe('a sync that would remove more than half of a source', () => {
  test('is refused with the numbers, and changes nothing; force removes', async () => {
    const { sync, rows, audited } = await newStack(service);
    await sync(list('xyz'), 'other');
    await sync(list('abcdefgh'));
    const before = await rows();
    const refused = await sync(list('hijklmno'));
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        reason: 'mostly_removed',
        removal: { removed: 7, of: 8 },
        detail: expect.stringMatching(
          /^7 of the 8 packages of the source package-lock\.json would go \(the project has 11\), and nothing was changed: .*another lock file/,
        ),
      },
    });
    expect(await rows()).toEqual(before);
    expect(await audited()).toHaveLength(2);

    const forced = await sync(list('hijklmno'), 'package-lock.json', { force: true });
    expect(forced).toMatchObject({ status: 200, body: { added: 7, removed: 7, unchanged: 1 } });
    expect((await audited()).at(-1)?.after).toMatchObject({ removed: 7, forced: true });
  });

  test.each([
    ['the only one, for another', 'a', 'x', 409],
    ['the only one', 'a', '', 409],
    ['one of two', 'ab', 'a', 200],
    ['two of two', 'ab', 'xy', 409],
    ['two of three', 'abc', 'axy', 409],
    ['two of four', 'abcd', 'abxy', 200],
    ['four of four', 'abcd', 'x', 409],
    ['five of five', 'abcde', '', 409],
    ['five of ten', 'abcdefghij', 'fghij', 200],
    ['six of ten', 'abcdefghij', 'ghij', 409],
    ['five of nine', 'abcdefghi', 'fghi', 409],
  ])('%s: %s to %s is %d', async (_, from, to, status) => {
    const { sync } = await newStack(service);
    await sync(list(from));
    expect((await sync(list(to))).status).toBe(status);
  });

  test('is no upgrade of all packages, and no removal of extra versions', async () => {
    const { sync } = await newStack(service);
    await sync([...list('abcdef'), ...list('abcdef', '1.5.0')]);
    expect(await sync(list('abcdef', '2.0.0'))).toMatchObject({ status: 200, body: { added: 6, removed: 12 } });
  });

  test('is no upgrade of the only package', async () => {
    const { sync } = await newStack(service);
    await sync(list('a'));
    expect(await sync(list('a', '2.0.0'))).toMatchObject({ status: 200, body: { added: 1, removed: 1 } });
  });

  test('of a source with one package says how to go on', async () => {
    const { sync, rows } = await newStack(service);
    await sync(list('a'));
    expect(await sync(list('b'))).toMatchObject({
      status: 409,
      body: {
        reason: 'mostly_removed',
        removal: { removed: 1, of: 1 },
        detail: expect.stringMatching(
          /^the only package of the source package-lock\.json would go .*a source of its own\. If it is meant, send force: true$/,
        ),
      },
    });
    expect(await rows()).toMatchObject([{ name: 'a' }]);
    expect((await sync(list('b'), 'package-lock.json', { force: true })).status).toBe(200);
  });

  test('counts what could not be placed: it is all that another folder of the same name may have', async () => {
    const { sync } = await newStack(service);
    const part = (name: string | null, reason = 'range') => ({
      ecosystem: 'npm',
      name,
      reason,
      stated: '^1',
      at: null,
    });
    const unread = (...parts: readonly object[]) => ({ unread: parts });
    expect((await sync([], 'a', unread(part('x')))).status).toBe(200);
    expect(await sync(list('b'), 'a')).toMatchObject({ status: 409, body: { removal: { removed: 1, of: 1 } } });
    expect((await sync(list('x'), 'a', unread(part(null, 'more')))).status).toBe(200);
    // What lies beside the list, and what has no name, is nobody's package.
    const beside = [part('x', 'own'), part('y', 'other_lock_file'), part(null, 'direct_only')];
    expect((await sync([], 'b', unread(...beside))).status).toBe(200);
    expect((await sync(list('b'), 'b')).status).toBe(200);
  });

  test('names of one package in two spellings are one', async () => {
    const { sync } = await newStack(service);
    const named = (separator: string) =>
      [...'abcdef'].map((letter) => ({ ecosystem: 'PyPI', name: `Zope${separator}${letter}`, version: '1.0' }));
    await sync(named('.'));
    expect((await sync(named('_'))).status).toBe(200);
  });
});

describe('a source with a former name', () => {
  const names = 'abcdefghij';

  test('takes over what is surely the same, with its alerts', async () => {
    const stack = await newAlertStack(service);
    const [vulnerable, cve] = [unique.packageName(), unique.cve()];
    await storeAdvisory(service.database, vulnerable, advisory(unique.advisoryId(), '1.0.0', '2.0.0', { cves: [cve] }));
    const packages = [...list(names), { purl: `pkg:npm/${vulnerable}@1.0.0` }];
    const sync = (source: string, more: object = {}) =>
      service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack/sync`, {
        source,
        packages,
        ...more,
      });
    await sync('requirements.txt');
    const [alert] = await stack.alerts();
    const taken = await sync('example.org/a:requirements.txt', { former: 'requirements.txt' });
    expect(taken.body).toMatchObject({
      added: 0,
      removed: 0,
      unchanged: 11,
      alerts: { opened: 0, reopened: 0, resolved: 0 },
      former: { source: 'requirements.txt', taken_over: true, packages: 11, same: 11 },
    });
    expect((await stack.alerts()).map(({ id, status }) => [id, status])).toEqual([[alert?.id, alert?.status]]);
    expect((await sync('example.org/a:requirements.txt', { former: 'requirements.txt' })).body).toMatchObject({
      former: null,
    });
  });

  test('keeps its rows when it is taken over after some upgrades, and the audit log says so', async () => {
    const { sync, rows, audited } = await newStack(service);
    await sync(list(names), 'old');
    const ids = (await rows()).map(({ id }) => id);
    const { body } = await sync([...list('abcdefg'), ...list('hij', '2.0.0')], 'new', { former: 'old' });
    expect(body).toMatchObject({ added: 3, removed: 3, unchanged: 7, former: { taken_over: true, same: 7 } });
    const after = await rows();
    expect(after.every(({ source }) => source === 'new')).toBe(true);
    expect(after.filter(({ id }) => ids.includes(id))).toHaveLength(7);
    expect((await audited()).at(-1)?.after).toMatchObject({ source: 'new', took_over: 'old' });
  });

  test.each([
    ['another repository', 'abklmnopqr', '1.0.0'],
    ['all versions are others', names, '2.0.0'],
    ['it has much more', `${names}klmnop`, '1.0.0'],
  ])('leaves it where it may be another one: %s', async (_, wanted, version) => {
    const { sync, rows } = await newStack(service);
    await sync(list(names), 'old');
    const { status, body } = await sync(list(wanted, version), 'new', { former: 'old' });
    expect([status, body]).toMatchObject([
      200,
      { removed: 0, former: { source: 'old', taken_over: false, packages: 10 } },
    ]);
    expect((await rows()).filter(({ source }) => source === 'old')).toHaveLength(10);
  });

  test('leaves it where the new name has packages of its own, also with force', async () => {
    const { sync, rows } = await newStack(service);
    await sync(list(names), 'new');
    await sync(list(names), 'old');
    const { body } = await sync(list(names), 'new', { former: 'old', force: true });
    expect(body).toMatchObject({ former: { taken_over: false, same: 10 } });
    expect(await rows()).toHaveLength(20);
  });

  test('two repositories that shared one name have both their packages afterwards', async () => {
    const { sync, rows } = await newStack(service);
    await sync(list('abcdefgh'), 'requirements.txt');
    const [a, b] = [list('mnopqrst'), list('abcdefgh')];
    expect((await sync(a, 'example.org/a:requirements.txt', { former: 'requirements.txt' })).body).toMatchObject({
      former: { taken_over: false, same: 0 },
    });
    expect((await sync(b, 'example.org/b:requirements.txt', { former: 'requirements.txt' })).body).toMatchObject({
      former: { taken_over: true },
    });
    expect(new Set((await rows()).map(({ source }) => source))).toEqual(
      new Set(['example.org/a:requirements.txt', 'example.org/b:requirements.txt']),
    );
  });
});
