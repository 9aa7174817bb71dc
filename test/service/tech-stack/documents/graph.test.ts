import { describe, expect, test } from 'vitest';
import { cycloneDx, readShort } from './read.js';

describe('the graph of an SBOM', () => {
  test('leads through nodes that are no packages, as Trivy writes lock files and operating systems', async () => {
    const document = cycloneDx(['a', 'b'], { root: ['lock', 'os'], lock: ['a'], a: ['b'], b: [], os: ['bash'] });
    const { direct, needs, unmatched, receipt } = await readShort({
      ...document,
      components: [
        { type: 'application', name: 'package-lock.json', 'bom-ref': 'lock' },
        { type: 'operating-system', name: 'debian', version: '12', 'bom-ref': 'os' },
        ...document.components,
        { type: 'library', name: 'bash', 'bom-ref': 'bash', purl: 'pkg:deb/debian/bash@5.2?arch=arm64' },
      ],
    });
    expect(direct).toEqual({ a: true, b: false, bash: true });
    expect(needs).toEqual({ a: ['npm b 1.0.0'] });
    expect(unmatched).toMatchObject([{ key: 'pkg:deb/debian/bash@5.2?arch=arm64' }]);
    expect(receipt).toMatchObject({ rows: 5, taken: 3, left_out: [{ kind: 'other', count: 2 }] });
  });

  test('leads through modules of the project that only its description lists, as cdxgen writes them', async () => {
    const { direct } = await readShort(cycloneDx(['a', 'b'], { root: ['module'], module: ['a'], a: ['b'] }));
    expect(direct).toEqual({ a: true, b: false });
  });

  test('may have rings, self edges, refs to nothing and refs that come twice', async () => {
    const document = cycloneDx(['a', 'b', 'c'], {
      root: ['a', 'root', 'ghost'],
      a: ['a', 'b', 'ghost', 'ring'],
      b: ['c'],
      c: ['a', 'root'],
      ring: ['other ring', 'c'],
      'other ring': ['ring'],
    });
    const { direct, needs } = await readShort({
      ...document,
      components: [...document.components, { type: 'library', name: 'd', 'bom-ref': 'a', purl: 'pkg:npm/d@1.0.0' }],
    });
    expect(direct).toEqual({ a: true, b: false, c: false, d: false });
    expect(needs).toEqual({
      a: ['npm b 1.0.0', 'npm c 1.0.0'],
      b: ['npm c 1.0.0'],
      c: ['npm a 1.0.0', 'npm b 1.0.0', 'npm c 1.0.0'].filter((key) => key === 'npm a 1.0.0'),
    });
  });

  test('is complete only where the document says so, and nothing of it is lost', async () => {
    const more = {
      compositions: [
        { aggregate: 'complete', dependencies: ['root', 'a', 'b', 'd'] },
        { aggregate: 'incomplete_third_party_only', dependencies: ['c', 'd'] },
        { aggregate: 'unknown', dependencies: ['e'] },
      ],
    };
    const graph = { root: ['a'], a: ['b'], b: ['ghost'], c: [], d: [], e: [] };
    const { known, directKnown } = await readShort(cycloneDx(['a', 'b', 'c', 'd', 'e', 'f'], graph, more));
    expect(known).toEqual({ a: 'complete', b: 'incomplete', c: 'incomplete', d: 'incomplete', e: null, f: null });
    expect(directKnown).toBe('complete');
    expect((await readShort(cycloneDx(['a'], { root: ['a'], a: [] }))).known).toEqual({ a: null });
  });

  test('of which some direct dependencies are not known does not call the others transitive', async () => {
    const more = { compositions: [{ aggregate: 'incomplete', dependencies: ['root'] }] };
    expect((await readShort(cycloneDx(['a', 'b'], { root: ['a'], a: ['b'] }, more))).direct).toEqual({
      a: true,
      b: null,
    });
  });

  test('of a package that comes twice is that of both', async () => {
    const document = cycloneDx(['a', 'b', 'c'], { root: ['a'], a: ['b'], 'a again': ['c'] });
    const again = { type: 'library', name: 'a', 'bom-ref': 'a again', purl: 'pkg:npm/a@1.0.0?x=y' };
    const { needs, receipt } = await readShort({ ...document, components: [...document.components, again] });
    expect(needs).toEqual({ a: ['npm b 1.0.0', 'npm c 1.0.0'] });
    expect(receipt).toMatchObject({ rows: 4, taken: 3, merged: 1 });
  });

  test('of a hostile size is refused: each component reaches all others through one node', async () => {
    const names = Array.from({ length: 3_000 }, (_, place) => `p${place}`);
    const graph = Object.fromEntries([...names.map((name) => [name, ['hub']]), ['hub', names]]);
    await expect(readShort(cycloneDx(names, graph))).rejects.toMatchObject({
      details: { detail: expect.stringContaining('at most 1000000 dependencies') },
    });
  });

  test('of 200,000 components is read, and of one more is not', async () => {
    const names = Array.from({ length: 200_000 }, (_, place) => `p${place}`);
    const graph = Object.fromEntries(names.map((name, place) => [name, [names[place + 1] ?? 'p0']]));
    const { packages, direct, receipt } = await readShort(cycloneDx(names, { root: ['p0'], ...graph }));
    expect(packages).toHaveLength(200_000);
    expect([direct['p0'], direct['p1']]).toEqual([true, false]);
    expect(receipt).toMatchObject({ rows: 200_000, taken: 200_000 });
    await expect(readShort(cycloneDx([...names, 'more'], {}))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
