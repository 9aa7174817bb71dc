import { describe, expect, test } from 'vitest';
import { defaultSource, readSbom } from '../../../src/service/tech-stack/documents/read-sbom.js';
import { packagesOf } from '../../../src/service/tech-stack/sbom-packages.js';
import { hasData } from '../../support/data.js';
import { countPurls, type Json, readSbomFile, sbomFiles } from './sboms.js';

const frame = { bomFormat: 'CycloneDX', specVersion: '1.6' };

async function read(document: Json) {
  const sbom = await readSbom(document);
  return { sbom, ...(await packagesOf(sbom)) };
}

function component(purl: string, more: Json = {}) {
  return { type: 'library', name: 'any', purl, ...more };
}

describe('an SBOM', () => {
  test.each(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])('of CycloneDX %s is read', async (specVersion) => {
    const { packages } = await read({
      bomFormat: 'CycloneDX',
      specVersion,
      components: [component('pkg:npm/a@1.0.0')],
    });
    expect(packages).toMatchObject([{ ecosystem: 'npm', name: 'a', version: '1.0.0' }]);
  });

  test.each([
    ['another version of SPDX', { spdxVersion: 'SPDX-2.1', packages: [] }],
    ['another format', { format: 'OpenVEX', components: [] }],
    ['no format', { specVersion: '1.6', components: [] }],
    ['an older version', { ...frame, specVersion: '1.1', components: [] }],
    ['a newer version', { ...frame, specVersion: '2.0', components: [] }],
    ['a version that is a number', { ...frame, specVersion: 1.6, components: [] }],
    ['components that are no list', { ...frame, components: {} }],
    ['a component that is no object', { ...frame, components: ['pkg:npm/a@1.0.0'] }],
    ['a package URL that is no text', { ...frame, components: [{ name: 'a', purl: 1 }] }],
    ['no components, as a VEX statement', { ...frame, vulnerabilities: [] }],
  ])('with %s is rejected', async (_, document) => {
    await expect(read(document)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('counts components that it cannot track, by reason', async () => {
    const { packages, unmatched, receipt } = await read({
      ...frame,
      components: [
        { type: 'operating-system', name: 'ubuntu', version: '22.04' },
        component('pkg:deb/ubuntu/apt@2.4.11'),
        component('pkg:deb/ubuntu/bash@5.1'),
        component('not a purl'),
        component('pkg:maven/no-group@1'),
        component('pkg:npm/no-version'),
        component('pkg:npm/bad-version@latest'),
        component('pkg:npm/version-beside', { version: '1.2.3' }),
        component('pkg:npm/version-beside@1.2.3'),
        { type: 'library', name: 'zlib', version: '1.3' },
        'pkg:npm/a@1.0.0',
        { name: 'a', purl: 1 },
      ],
    });
    expect(packages).toMatchObject([{ name: 'version-beside', version: '1.2.3' }]);
    expect(unmatched.map(({ key }) => key)).toEqual([
      'pkg:deb/ubuntu/apt@2.4.11',
      'pkg:deb/ubuntu/bash@5.1',
      'library zlib 1.3',
    ]);
    expect(receipt).toEqual({
      rows: 12,
      taken: 4,
      merged: 1,
      skipped: 6,
      skipped_rows: [
        { pointer: '/components/10', reason: expect.stringContaining('expected object') },
        { pointer: '/components/11', reason: expect.stringContaining('purl') },
        { pointer: '/components/3', reason: 'has a malformed package URL' },
        { pointer: '/components/4', reason: 'has a package URL that is none of the type maven' },
        { pointer: '/components/5', reason: 'has no version' },
        { pointer: '/components/6', reason: 'has a version that is none of npm: latest' },
      ],
      left_out: [{ kind: 'other', count: 1 }],
    });
  });

  test('reads scope and development marks', async () => {
    const mark = (name: string, value: string) => ({ properties: [{ name, value }] });
    const { packages } = await read({
      ...frame,
      components: [
        component('pkg:npm/plain@1.0.0'),
        component('pkg:npm/required@1.0.0', { scope: 'required' }),
        component('pkg:npm/optional@1.0.0', { scope: 'optional' }),
        component('pkg:npm/excluded@1.0.0', { scope: 'excluded' }),
        component('pkg:npm/dev@1.0.0', { scope: 'optional', ...mark('cdx:npm:package:development', 'true') }),
        component('pkg:npm/no-dev@1.0.0', mark('cdx:npm:package:development', 'false')),
        component('pkg:composer/v/dev@1.0.0', mark('cdx:composer:package:isDevRequirement', 'true')),
      ],
    });
    expect(packages.map(({ scope }) => scope)).toEqual([
      'runtime',
      'runtime',
      'optional',
      'optional',
      'development',
      'runtime',
      'development',
    ]);
  });

  test('distinguishes direct from transitive by the described component’s dependencies', async () => {
    const { packages } = await read({
      ...frame,
      metadata: { component: { name: 'app', 'bom-ref': 'root' } },
      components: [component('pkg:npm/a@1.0.0', { 'bom-ref': 'a' }), component('pkg:npm/b@1.0.0')],
      dependencies: [
        { ref: 'root', dependsOn: ['a'] },
        { ref: 'a', dependsOn: ['pkg:npm/b@1.0.0'] },
      ],
    });
    expect(packages.map(({ direct }) => direct)).toEqual([true, false]);
  });

  test.each([
    ['no graph', {}],
    ['no described component', { dependencies: [{ ref: 'root', dependsOn: ['a'] }] }],
    [
      'a described component that depends on nothing',
      { metadata: { component: { name: 'app', 'bom-ref': 'root' } }, dependencies: [{ ref: 'root' }] },
    ],
  ])('with %s does not guess what is direct', async (_, more) => {
    const { packages } = await read({
      ...frame,
      ...more,
      components: [component('pkg:npm/a@1.0.0', { 'bom-ref': 'a' })],
    });
    expect(packages.map(({ direct }) => direct)).toEqual([null]);
  });

  test('merges mentions of one package', async () => {
    const { packages } = await read({
      ...frame,
      components: [
        component('pkg:pypi/Flask_Login@1.0', { scope: 'optional' }),
        component('pkg:pypi/flask-login@1.0?x=y', {}),
      ],
    });
    expect(packages).toMatchObject([{ package_name: 'flask-login', scope: 'runtime' }]);
  });

  test('is read in depth, down to a limit', async () => {
    const nested = (depth: number): Json => {
      let inner: Json = component('pkg:npm/innermost@1.0.0');
      for (let level = 1; level < depth; level++) inner = { name: 'outer', components: [inner] };
      return { ...frame, components: [inner] };
    };
    expect((await read(nested(60))).packages).toMatchObject([{ name: 'innermost' }]);
    for (const depth of [65, 50_000])
      await expect(read(nested(depth))).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('names its source after what it describes', async () => {
    const sourceOf = async (name: string) =>
      defaultSource(await readSbom({ ...frame, metadata: { component: { name } }, components: [] }));
    expect(await sourceOf('juice-shop')).toBe('sbom:juice-shop');
    expect(await sourceOf(' a\n b ')).toBe('sbom:a b');
    expect(await sourceOf('\u{1f4a5}'.repeat(300))).toBe(`sbom:${'\u{1f4a5}'.repeat(190)}`);
    expect(defaultSource(await readSbom({ ...frame, components: [] }))).toBe('sbom');
  });
});

describe.skipIf(!hasData)('real CycloneDX documents', () => {
  const files = hasData ? sbomFiles() : [];

  test.each(files.filter((name) => 'components' in readSbomFile(name)))(
    '%s gives every package it lists',
    async (name) => {
      const document = readSbomFile(name);
      const { packages, unmatched, receipt } = await read(document);
      const expected = countPurls(document);
      expect(packages).toHaveLength(expected.distinct);
      expect(packages.length + unmatched.filter(({ purl }) => purl !== null).length + receipt.merged).toBe(
        expected.components,
      );
      const leftOut = receipt.left_out.reduce((sum, { count }) => sum + count, 0);
      expect(receipt.taken + receipt.merged + receipt.skipped + leftOut).toBe(receipt.rows);
    },
  );

  test.each(files.filter((name) => !('components' in readSbomFile(name))))(
    '%s is a VEX statement, no SBOM',
    async (name) => {
      await expect(readSbom(readSbomFile(name))).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );

  test('known counts', async () => {
    const count = async (name: string) => (await read(readSbomFile(name))).packages.length;
    expect(await count('SBOM__cern-lhc-vdm-editor-e564943__bom.json')).toBe(43);
    expect(await count('SBOM__dropwizard-1.3.15__bom.json')).toBe(167);
    expect(await count('SBOM__laravel-7.12.0__bom.1.4.json')).toBe(62);
    expect(await count('SBOM__proton-bridge__proton-bridge-v1.8.0.bom.json')).toBe(201);
    expect(await count('dd-nested-component-log4j.json')).toBe(1);
    expect(await count('dd-issue_9277.json')).toBe(0);
  });

  test('direct packages of the Juice Shop are those its package.json asks for', async () => {
    const { packages } = await read(readSbomFile('SBOM__juice-shop__via_npm__flat__bom.1.4.json'));
    const direct = packages.filter((each) => each.direct).map(({ name }) => name);
    expect(direct).toContain('express-jwt');
    expect(direct).not.toContain('lodash.camelcase');
    expect(direct.length).toBeGreaterThan(50);
    expect(direct.length).toBeLessThan(packages.length / 2);
  });
});
