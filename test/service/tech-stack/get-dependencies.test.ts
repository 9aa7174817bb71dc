import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxNeighbours, techStack } from '../../../src/procedures/tech-stack.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project whose stack is synced with dependencies as indexes, and read as a graph. */
async function newGraph() {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/tech-stack`;
  const itemId = async (name: string) => {
    const { body } = await service.call(key, 'GET', `${path}?package=${encodeURIComponent(name)}`);
    const [item] = techStack.list.output.parse(body).items.filter((each) => each.name === name);
    if (item === undefined) throw new Error(`${name} is not there`);
    return item.id;
  };
  return {
    ...{ organisation, key, projectId, path, itemId },
    sync: (...packages: readonly object[]) => service.call(key, 'POST', `${path}/sync`, { source: 'lock', packages }),
    read: async (name: string) => {
      const { status, body } = await service.call(key, 'GET', `${path}/${await itemId(name)}/dependencies`);
      expect(status, JSON.stringify(body)).toBe(200);
      return techStack.getDependencies.output.parse(body);
    },
  };
}

const named = (nodes: readonly { readonly name: string }[]) => nodes.map(({ name }) => name);

describe('the place of a package in the graph', () => {
  test('is its parents, its children and the ways to it, each with its unresolved alerts', async () => {
    const { sync, read } = await newGraph();
    const [red, yellow] = [unique.packageName(), unique.packageName()];
    const severe = { severity: 'critical', cvss_version: '3.1', cvss_vector: 'any' } as const;
    await storeAdvisory(
      service.database,
      red,
      advisory(unique.advisoryId(), '0', '2.0.0', { ...severe, cvss_score: 9 }),
    );
    await storeAdvisory(
      service.database,
      yellow,
      advisory(unique.advisoryId(), '0', '2.0.0', { ...severe, cvss_score: 7.1 }),
    );
    const synced = await sync(
      { purl: 'pkg:npm/app-a@1.0.0', direct: true, dependencies: [2] },
      { purl: 'pkg:npm/app-b@1.0.0', direct: true, scope: 'development', dependencies: [1, 3] },
      { purl: 'pkg:npm/middle@1.0.0', direct: false, dependencies: [1, 3, 4, 5] },
      { purl: `pkg:npm/${red}@1.0.0`, direct: false, dependencies: [] },
      { purl: `pkg:npm/${yellow}@1.0.0`, direct: false, dependencies: [] },
      { purl: 'pkg:npm/quiet@1.0.0', direct: false, dependencies: [] },
    );
    expect(synced.body).toMatchObject({ alerts: { opened: 2 } });

    const middle = await read('middle');
    expect(middle.item).toMatchObject({ name: 'middle', source: 'lock', direct: false, alerts: { red: 0, yellow: 0 } });
    expect(middle.parents).toMatchObject({ total: 1, known: 'complete', items: [{ name: 'app-a', direct: true }] });
    // Those with alerts first, the worst of them first; then by name.
    expect(named(middle.children.items)).toEqual([red, yellow, 'app-b', 'quiet']);
    expect(middle.children.items[0]?.alerts).toEqual({ red: 1, yellow: 0, green: 0 });
    expect(middle.children.items[2]).toMatchObject({ scope: 'development', purl: 'pkg:npm/app-b@1.0.0' });
    expect(middle.coverage.status).toBe('affected');

    const worst = await read(red);
    expect(worst.item.alerts).toEqual({ red: 1, yellow: 0, green: 0 });
    expect(worst.paths).toMatchObject({ total: 2, known: 'complete' });
    expect(worst.paths.items.map(named)).toEqual([
      ['app-b', red],
      ['app-a', 'middle', red],
    ]);
    expect(worst.children).toEqual({ items: [], total: 0, known: 'complete' });
  });

  test('is said to be unknown where the source does not say it', async () => {
    const { sync, read, path, key } = await newGraph();
    await sync({ purl: 'pkg:npm/a@1.0.0' }, { purl: 'pkg:npm/b@1.0.0' });
    const unknown = { items: [], total: 0, known: 'unknown' };
    expect(await read('a')).toMatchObject({ parents: unknown, children: unknown, paths: unknown });
    const one = { ecosystem: 'npm', name: 'by-hand', version: '1.0.0' };
    expect((await service.call(key, 'POST', path, one)).status).toBe(200);
    expect(await read('by-hand')).toMatchObject({ item: { source: 'manual' }, parents: unknown, children: unknown });
  });

  test('is incomplete where some packages do not say it, or name what is gone', async () => {
    const { sync, read, path, key, itemId } = await newGraph();
    await sync(
      { purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [1] },
      { purl: 'pkg:npm/b@1.0.0', direct: false, dependencies: [2], incomplete: true },
      { purl: 'pkg:npm/c@1.0.0', direct: false },
    );
    expect(await read('b')).toMatchObject({
      parents: { total: 1, known: 'incomplete' },
      children: { total: 1, known: 'incomplete' },
      paths: { total: 1, known: 'incomplete' },
    });
    expect(await read('c')).toMatchObject({ children: { total: 0, known: 'unknown' } });
    await service.call(key, 'DELETE', `${path}/${await itemId('b')}`);
    expect(await read('a')).toMatchObject({ children: { total: 0, known: 'incomplete' } });
  });

  test('has components of an SBOM that no feed matches, and does not call them free of alerts', async () => {
    const { read, path, key } = await newGraph();
    const ref = (name: string) => `pkg:npm/${name}@1.0.0`;
    const answer = await service.call(key, 'POST', `${path}/sbom`, {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: 'app', 'bom-ref': 'app' } },
      components: [
        { type: 'library', name: 'lib', version: '1.0.0', purl: ref('lib'), 'bom-ref': 'lib' },
        { type: 'library', name: 'curl', version: '8.0', purl: 'pkg:deb/debian/curl@8.0', 'bom-ref': 'curl' },
      ],
      dependencies: [
        { ref: 'app', dependsOn: ['lib'] },
        { ref: 'lib', dependsOn: ['curl'] },
      ],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await read('lib')).children.items).toMatchObject([
      { item_id: null, ecosystem: null, name: 'curl', version: '8.0', purl: 'pkg:deb/debian/curl@8.0', alerts: null },
    ]);
  });

  test('names a bounded number of neighbours, and counts all', async () => {
    const { sync, read } = await newGraph();
    const many = maxNeighbours + 10;
    const parents = Array.from({ length: many }, (_, nth) => ({
      ...{ purl: `pkg:npm/p${nth}@1.0.0`, direct: true, dependencies: [many] },
    }));
    await sync(...parents, { purl: 'pkg:npm/popular@1.0.0', direct: false, dependencies: [] });
    const { parents: found, paths } = await read('popular');
    expect([found.items.length, found.total]).toEqual([maxNeighbours, many]);
    expect([paths.items.length, paths.total]).toEqual([5, many]);
  });

  test('is that of its own source', async () => {
    const { sync, read, path, key } = await newGraph();
    await sync(
      { purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [1] },
      { purl: 'pkg:npm/b@1.0.0', dependencies: [] },
    );
    const other = [
      { purl: 'pkg:npm/x@1.0.0', dependencies: [1] },
      { purl: 'pkg:npm/b@2.0.0', dependencies: [] },
    ];
    await service.call(key, 'POST', `${path}/sync`, { source: 'other', packages: other });
    expect(named((await read('a')).children.items)).toEqual(['b']);
    expect((await read('x')).children.items).toMatchObject([{ name: 'b', version: '2.0.0' }]);
  });

  test('is not there for what is not: another project’s package, or none', async () => {
    const [mine, theirs] = [await newGraph(), await newGraph()];
    await theirs.sync({ purl: 'pkg:npm/a@1.0.0' });
    const id = await theirs.itemId('a');
    for (const [project, resource] of [
      [mine.projectId, 'tech_stack_item'],
      [theirs.projectId, 'project'],
    ]) {
      const path = `/api/projects/${project}/tech-stack/${id}/dependencies`;
      const { body } = await service.call(mine.key, 'GET', path);
      expect(body).toMatchObject({ status: 404, resource });
    }
    expect(textAt((await service.call(theirs.key, 'GET', `${theirs.path}/${id}/dependencies`)).body, 'item.name')).toBe(
      'a',
    );
  });
});

test('a graph with too many edges to be read is said to be unknown', async () => {
  const { sync, read, projectId } = await newGraph();
  await sync(
    { purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [1] },
    { purl: 'pkg:npm/b@1.0.0', dependencies: [] },
  );
  await service.database.system((tx) =>
    tx
      .updateTable('tech_stack_items')
      .set({ dependencies: Array.from({ length: 250_001 }, () => 'npm b 1.0.0') })
      .where('project_id', '=', projectId)
      .where('name', '=', 'a')
      .execute(),
  );
  const found = await read('b');
  expect(at(found, 'item.name')).toBe('b');
  expect(found).toMatchObject({ parents: { total: 0, known: 'unknown' }, paths: { total: 0, known: 'unknown' } });
});
