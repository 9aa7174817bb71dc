import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxTokens } from '../../../src/shared/text/max-tokens.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { exportedProject } from './exported-project.js';
import { schemaFaultsOf } from './official-schema.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a large document comes in parts, each a valid document that an agent can take, with every entry once', async () => {
  const project = await exportedProject(service);
  const packages = Array.from({ length: 400 }, (_, nth) => ({
    ecosystem: 'npm',
    name: `package-${nth}`,
    version: '1.0.0',
  }));
  await project.syncAll(packages);
  const ask = async (query: string) =>
    (await service.call(project.organisation.readKey, 'GET', `${project.path}/sbom?${query}`)).body;
  const whole = Object(at(await ask('include_document=true'), 'document'));
  let cursor: unknown = at(await ask(''), 'next_cursor');
  const found: Record<string, unknown[]> = {};
  let parts = 0;
  while (typeof cursor === 'string') {
    const answer = await ask(`cursor=${cursor}`);
    const part = Object(at(answer, 'document'));
    expect(maxTokens(JSON.stringify(part))).toBeLessThan(18_500);
    expect(await schemaFaultsOf(part)).toEqual([]);
    expect(part.metadata).toEqual(parts === 0 ? whole.metadata : undefined);
    for (const [name, value] of Object.entries(part)) {
      if (Array.isArray(value)) found[name] = [...(found[name] ?? []), ...value];
    }
    parts += 1;
    cursor = at(answer, 'next_cursor');
  }
  expect(parts).toBeGreaterThan(1);
  expect(found).toEqual(
    Object.fromEntries(Object.entries(whole).filter(([, value]) => Array.isArray(value) && value.length > 0)),
  );
});

test('a cursor is of one document, and a small document has none', async () => {
  const project = await exportedProject(service);
  const packages = Array.from({ length: 400 }, (_, nth) => ({
    ecosystem: 'npm',
    name: `package-${nth}`,
    version: '1.0.0',
  }));
  const ask = (query: string) => service.call(project.organisation.readKey, 'GET', `${project.path}/sbom?${query}`);
  await project.syncAll(packages.slice(0, 3));
  expect(at((await ask('')).body, 'next_cursor')).toBeNull();
  await project.syncAll(packages);
  const cursor = textAt((await ask('')).body, 'next_cursor');
  await project.syncAll(packages.slice(1));
  for (const [given, words] of [
    [cursor, /changed/],
    ['2', /next_cursor/],
  ] as const) {
    const { status, body } = await ask(`cursor=${given}`);
    expect([status, at(body, 'errors.0.field')]).toEqual([422, 'cursor']);
    expect(textAt(body, 'errors.0.message')).toMatch(words);
  }
});
