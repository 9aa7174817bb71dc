import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newStack, noAlerts } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('a sync', () => {
  test('makes the items of its source exactly the given packages', async () => {
    const { sync, rows, audited } = await newStack(service);
    expect(await sync([{ purl: 'pkg:npm/a@1.0.0' }, { purl: 'pkg:npm/b@1.0.0', scope: 'development' }])).toMatchObject({
      status: 200,
      body: { source: 'package-lock.json', added: 2, updated: 0, removed: 0, unchanged: 0, alerts: noAlerts },
    });
    const [a] = await rows();
    const answer = await sync([
      { purl: 'pkg:npm/a@1.0.0', direct: true, deprecated: 'use c' },
      { ecosystem: 'npm', name: 'c', version: '2.0.0' },
    ]);
    expect(answer.body).toMatchObject({ added: 1, updated: 1, removed: 1, unchanged: 0 });
    expect(await rows()).toMatchObject([
      { id: a?.id, name: 'a', direct: true, deprecated: 'use c', revision: 2 },
      { name: 'c', version: '2.0.0', direct: null, revision: 1 },
    ]);
    expect(await audited()).toEqual([
      { action: 'tech_stack.sync', after: { source: 'package-lock.json', added: 2, updated: 0, removed: 0 } },
      { action: 'tech_stack.sync', after: { source: 'package-lock.json', added: 1, updated: 1, removed: 1 } },
    ]);
  });

  test('leaves other sources alone', async () => {
    const { sync, rows } = await newStack(service);
    await sync([{ purl: 'pkg:npm/a@1.0.0' }], 'one');
    await sync([{ purl: 'pkg:npm/a@1.0.0' }], 'two');
    await sync([], 'one', { force: true });
    expect(await rows()).toMatchObject([{ source: 'two' }]);
  });

  test('writes nothing where nothing has changed', async () => {
    const { sync, rows, audited } = await newStack(service);
    const packages = [
      { purl: 'pkg:npm/a@1.0.0', direct: false },
      { purl: 'pkg:npm/b@1.0.0', deprecated: 'old' },
    ];
    await sync(packages);
    const before = await rows();
    expect((await sync(packages.toReversed())).body).toMatchObject({ added: 0, updated: 0, removed: 0, unchanged: 2 });
    expect(await rows()).toEqual(before);
    expect(await audited()).toHaveLength(1);
  });

  test('merges what is named twice and rejects what contradicts itself', async () => {
    const { sync, rows } = await newStack(service);
    const { body } = await sync([
      { purl: 'pkg:npm/a@1.0.0', scope: 'development' },
      { purl: 'pkg:npm/a@1.0.0', scope: 'runtime', direct: true },
      { purl: 'pkg:npm/a@1.0.1', scope: 'optional' },
    ]);
    expect(body).toMatchObject({ added: 2 });
    expect(await rows()).toMatchObject([
      { scope: 'runtime', direct: true },
      { scope: 'optional', direct: null },
    ]);
    const contradiction = await sync([
      { purl: 'pkg:npm/a@1.0.0', deprecated: 'x' },
      { purl: 'pkg:npm/a@1.0.0', deprecated: 'y' },
    ]);
    expect(contradiction).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'packages.1', reason: 'duplicate' }] },
    });
  });

  test('rejects all when any package is bad, with one error each', async () => {
    const { sync, rows } = await newStack(service);
    const answer = await sync([
      { purl: 'pkg:npm/fine@1.0.0' },
      { purl: 'pkg:deb/debian/curl@7.50.3-1' },
      { ecosystem: 'npm', name: 'a', version: 'latest' },
    ]);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_input',
        errors: [
          { field: 'packages.1.purl', reason: 'purl_type' },
          { field: 'packages.2.version', reason: 'not_a_version' },
        ],
      },
    });
    const half = await sync([{ ecosystem: 'npm', name: 'a' }]);
    expect(half).toMatchObject({ status: 422, body: { errors: [{ field: 'packages.0' }] } });
    expect(await rows()).toEqual([]);
  });

  test('of two sources at once loses neither; of one source at once ends as one of the two', async () => {
    const { sync, rows } = await newStack(service);
    const list = (prefix: string) => Array.from({ length: 50 }, (_, n) => ({ purl: `pkg:npm/${prefix}${n}@1.0.0` }));
    const answers = await Promise.all([
      sync(list('a'), 'one', { force: true }),
      sync(list('b'), 'two'),
      sync(list('c'), 'one', { force: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const names = (await rows()).map(({ source, name }) => `${source} ${name.charAt(0)}`);
    expect(names).toHaveLength(100);
    expect([...new Set(names)].sort()).toHaveLength(2);
    expect(names).toContain('two b');
  });
});
