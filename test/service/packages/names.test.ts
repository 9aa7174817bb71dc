import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from '../alerts/stack.js';
import { loadRecords, record } from '../intelligence/organisation.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A name of its own with capitals, as `Pkg7f…`. */
const newName = () => `Pkg${randomUUID().replaceAll('-', '')}`;

async function found(stack: Awaited<ReturnType<typeof newStack>>, query: Record<string, string>): Promise<unknown> {
  const { body } = await service.call(stack.key, 'GET', `/api/intelligence/package?${new URLSearchParams(query)}`);
  return at(body, 'total');
}

const sbom = (...components: object[]) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components });

describe('a package in the case of a package URL has the alerts of its advisories', () => {
  test.each([
    ['Go', 'golang', (name: string) => `github.com/Masterminds/${name}`, 'v1.1.0'],
    ['PyPI', 'pypi', (name: string) => `${name}.Zope_Interface`, '1.1.0'],
    ['NuGet', 'nuget', (name: string) => `Newtonsoft.${name}`, '1.1.0'],
    ['Packagist', 'composer', (name: string) => `Laravel/${name}`, '1.1.0'],
    ['crates.io', 'cargo', (name: string) => `${name}_core-rs`, '1.1.0'],
  ] as const)('%s', async (ecosystem, type, nameOf, version) => {
    const stack = await newStack(service);
    const name = nameOf(newName());
    await loadRecords(service, record(randomUUID(), name, {}, ecosystem));
    for (const each of [name, name.toLowerCase()]) {
      expect(await found(stack, { purl: `pkg:${type}/${each}@${version}` }), each).toBe(1);
      expect(await found(stack, { ecosystem, name: each, version }), each).toBe(1);
    }
    const purl = `pkg:${type}/${name.toLowerCase()}@${version}`;
    const body = { source: 'lock', packages: [{ ecosystem, name, version }, { purl }] };
    const synced = await service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack/sync`, body);
    expect(synced.body).toMatchObject({ added: 1, alerts: { opened: 1 } });
    // People get the name that they can install by.
    expect(await stack.alerts()).toMatchObject([{ package: { ecosystem, name } }]);
    const document = sbom({ type: 'library', name, version, purl });
    const uploaded = await service.call(
      stack.key,
      'POST',
      `/api/projects/${stack.projectId}/tech-stack/sbom?source=lock`,
      document,
    );
    expect(uploaded.body).toMatchObject({ added: 0, removed: 0, alerts: { opened: 0, resolved: 0 } });
  });
});

describe('an old npm name with capitals', () => {
  test('is found by a package URL in lower case, and the answer says which package it is', async () => {
    const stack = await newStack(service);
    const name = newName();
    await loadRecords(service, record(randomUUID(), name));
    const lower = name.toLowerCase();
    for (const purl of [`pkg:npm/${name}@1.0.0`, `pkg:npm/${lower}@1.0.0`]) {
      const query = new URLSearchParams({ purl });
      const { body } = await service.call(stack.key, 'GET', `/api/intelligence/package?${query}`);
      expect(body).toMatchObject({ total: 1, package: { name, purl: `pkg:npm/${name}@1.0.0` } });
    }
    expect(await found(stack, { ecosystem: 'npm', name, version: '1.0.0' })).toBe(1);
    await stack.sync(`${lower}@1.0.0`, `${name}@1.0.0`);
    expect(await stack.alerts()).toMatchObject([{ package: { name } }]);
  });

  test('is another package than its namesake in lower case', async () => {
    const stack = await newStack(service);
    const name = newName();
    const lower = name.toLowerCase();
    await loadRecords(service, record(`${name}-1`, name));
    // A name that is given as a name is the package's own.
    await stack.add(lower, '1.0.0');
    expect(await found(stack, { ecosystem: 'npm', name: lower, version: '1.0.0' })).toBe(0);
    expect(await stack.alerts()).toEqual([]);
    await loadRecords(service, record(`${name}-2`, lower), record(`${name}-3`, lower));
    expect(await found(stack, { purl: `pkg:npm/${lower}@1.0.0` })).toBe(2);
    expect(await found(stack, { purl: `pkg:npm/${name}@1.0.0` })).toBe(1);
    expect(await stack.alerts()).toHaveLength(2);
    await stack.sync(`${lower}@1.0.0`, `${name}@1.0.0`);
    expect((await stack.alerts()).map(({ package: { name: each } }) => each).toSorted()).toEqual([name, lower, lower]);
  });

  test('is what a component of an SBOM calls itself, whatever the case of its package URL', async () => {
    const stack = await newStack(service);
    const [one, two] = [newName(), newName()];
    await loadRecords(service, record(randomUUID(), one), record(randomUUID(), `@Old/${two}`));
    const components = [
      { type: 'library', name: one, version: '1.0.0', purl: `pkg:npm/${one.toLowerCase()}@1.0.0` },
      { type: 'library', group: '@Old', name: two, purl: `pkg:npm/%40old/${two.toLowerCase()}@1.0.0` },
      { type: 'library', name: one.toLowerCase(), version: '1.0.0', purl: `pkg:npm/${one.toLowerCase()}@1.0.0` },
      { type: 'library', name: 'another name', version: '1.0.0', purl: 'pkg:npm/jsonstream@1.0.0?in production=true' },
    ];
    const path = `/api/projects/${stack.projectId}/tech-stack/sbom`;
    expect((await service.call(stack.key, 'POST', path, sbom(...components))).body).toMatchObject({ added: 4 });
    expect((await stack.alerts()).map(({ package: { name } }) => name).toSorted()).toEqual([`@Old/${two}`, one]);
  });
});

test('a version with a space is a package URL, and no version of a registry', async () => {
  const stack = await newStack(service);
  const purl = 'pkg:maven/mygroup/myartifact@1.0.0%20Final';
  const query = new URLSearchParams({ purl });
  const { status, body } = await service.call(stack.key, 'GET', `/api/intelligence/package?${query}`);
  expect([status, body]).toMatchObject([422, { errors: [{ field: 'purl', reason: 'not_a_version' }] }]);
});
