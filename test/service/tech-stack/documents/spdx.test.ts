import { describe, expect, test } from 'vitest';
import { readShort } from './read.js';

const sha256 = 'ab'.repeat(32);

function spdx2(names: readonly string[], relationships: readonly (readonly [string, string, string])[], more = {}) {
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'document',
    packages: [
      { SPDXID: 'root', name: 'shop' },
      ...names.map((name) => ({
        SPDXID: name,
        name,
        versionInfo: '1.0.0',
        externalRefs: [
          { referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a:x' },
          { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: `pkg:npm/${name}@1.0.0` },
        ],
      })),
    ],
    relationships: [['SPDXRef-DOCUMENT', 'DESCRIBES', 'root'], ...relationships].map(
      ([spdxElementId, relationshipType, relatedSpdxElement]) => ({
        spdxElementId,
        relationshipType,
        relatedSpdxElement,
      }),
    ),
    ...more,
  };
}

describe('SPDX 2', () => {
  test('names what depends on what in either direction, and for what', async () => {
    const { sbom, direct, needs, packages, receipt } = await readShort(
      spdx2(
        ['a', 'b', 'c', 'd', 'e'],
        [
          ['root', 'DEPENDS_ON', 'a'],
          ['c', 'DEV_DEPENDENCY_OF', 'root'],
          ['d', 'OPTIONAL_DEPENDENCY_OF', 'root'],
          ['a', 'DEPENDS_ON', 'b'],
          ['e', 'DEPENDENCY_OF', 'b'],
          ['e', 'TEST_DEPENDENCY_OF', 'c'],
        ],
      ),
    );
    expect(sbom).toMatchObject({ format: 'SPDX 2.3', subject: { name: 'shop' } });
    expect(direct).toEqual({ a: true, b: false, c: true, d: true, e: false });
    expect(needs).toEqual({ a: ['npm b 1.0.0'], b: ['npm e 1.0.0'], c: ['npm e 1.0.0'] });
    expect(Object.fromEntries(packages.map(({ name, scope }) => [name, scope]))).toEqual({
      ...{ a: 'runtime', b: 'runtime', c: 'development', d: 'optional', e: 'runtime' },
    });
    expect(receipt).toMatchObject({ rows: 5, taken: 5, skipped: 0 });
  });

  test('of GitHub, where the repository depends on every package, does not tell what is direct', async () => {
    const flat = spdx2(
      ['a', 'b'],
      [
        ['root', 'DEPENDS_ON', 'a'],
        ['root', 'DEPENDS_ON', 'b'],
      ],
    );
    expect((await readShort({ sbom: flat })).direct).toEqual({ a: null, b: null });
  });

  test('that only contains packages does not tell which of them others bring in', async () => {
    const contains = ['a', 'b', 'c'].map((name) => ['root', 'CONTAINS', name] as const);
    expect((await readShort(spdx2(['a', 'b', 'c'], contains))).direct).toEqual({ a: null, b: null, c: null });
    const { direct } = await readShort(spdx2(['a', 'b', 'c'], [...contains, ['b', 'DEPENDENCY_OF', 'a']]));
    expect(direct).toEqual({ a: true, b: null, c: true });
  });

  test('of Trivy leads through lock files', async () => {
    const document = spdx2(
      ['a', 'b'],
      [
        ['root', 'CONTAINS', 'SPDXRef-Application-1'],
        ['SPDXRef-Application-1', 'CONTAINS', 'a'],
        ['a', 'DEPENDS_ON', 'b'],
      ],
    );
    const lock = { SPDXID: 'SPDXRef-Application-1', name: 'package-lock.json' };
    const { direct, receipt } = await readShort({ ...document, packages: [...document.packages, lock] });
    expect(direct).toEqual({ a: true, b: false });
    expect(receipt).toMatchObject({ rows: 3, taken: 2, left_out: [{ kind: 'other', count: 1 }] });
  });

  test('carries licences, digests and suppliers, and says where nothing is needed', async () => {
    const { packages, known } = await readShort(
      spdx2([], [['a', 'DEPENDS_ON', 'NONE']], {
        packages: [
          {
            SPDXID: 'a',
            name: 'a',
            supplier: 'Organization: Acme',
            licenseConcluded: 'NOASSERTION',
            licenseDeclared: 'LicenseRef-1',
            checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }],
            externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/a@1.0.0' }],
          },
        ],
        hasExtractedLicensingInfos: [{ licenseId: 'LicenseRef-1', name: 'Our own', extractedText: 'Do.' }],
      }),
    );
    expect(packages).toMatchObject([
      {
        supplier: 'Acme',
        licences: [{ name: 'Our own' }],
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      },
    ]);
    expect(known).toEqual({ a: 'complete' });
  });

  test('skips a package that cannot be read, with its place', async () => {
    const document = spdx2(['a'], []);
    const { receipt } = await readShort({ ...document, packages: [...document.packages, { name: 'no id' }, 7] });
    expect(receipt).toMatchObject({ rows: 3, taken: 1, skipped: 2 });
    expect(receipt.skipped_rows.map(({ pointer }) => pointer)).toEqual(['/packages/2', '/packages/3']);
  });
});

describe('SPDX 3', () => {
  const element = (spdxId: string, type: string, more: object = {}) => ({ spdxId, type, ...more });
  const relation = (from: string, relationshipType: string, to: readonly string[], more: object = {}) =>
    element(`r-${from}-${to[0]}`, 'Relationship', { from, relationshipType, to, ...more });
  const document = (...elements: object[]) => ({
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      element('doc', 'SpdxDocument', { rootElement: ['sbom'] }),
      element('sbom', 'software_Sbom', { rootElement: ['root'] }),
      element('root', 'software_Package', { name: 'shop' }),
      ...elements,
    ],
  });
  const npm = (name: string, more: object = {}) =>
    element(name, 'software_Package', { name, software_packageUrl: `pkg:npm/${name}@1.0.0`, ...more });

  test('names what depends on what, and in which scope', async () => {
    const { sbom, direct, needs, known, packages } = await readShort(
      document(
        npm('a'),
        npm('b'),
        npm('c'),
        relation('root', 'dependsOn', ['a']),
        relation('root', 'dependsOn', ['c'], { type: 'LifecycleScopedRelationship', scope: 'test' }),
        relation('a', 'dependsOn', ['b'], { completeness: 'complete' }),
        relation('b', 'dependsOn', ['spdx:Core/NoneElement'], { completeness: 'complete' }),
      ),
    );
    expect(sbom).toMatchObject({ format: 'SPDX 3.0', subject: { name: 'shop' } });
    expect(direct).toEqual({ a: true, b: false, c: true });
    expect(needs).toEqual({ a: ['npm b 1.0.0'] });
    expect(known).toEqual({ a: 'complete', b: 'complete', c: null });
    expect(packages.map(({ scope }) => scope)).toEqual(['runtime', 'runtime', 'development']);
  });

  test('carries licences, digests and suppliers by reference', async () => {
    const { packages } = await readShort(
      document(
        npm('a', {
          suppliedBy: 'acme',
          verifiedUsing: [{ type: 'Hash', algorithm: 'sha256', hashValue: sha256 }],
        }),
        element('acme', 'Organization', { name: 'Acme' }),
        element('l1', 'simplelicensing_LicenseExpression', { simplelicensing_licenseExpression: 'MIT OR Apache-2.0' }),
        relation('a', 'hasDeclaredLicense', ['https://spdx.org/licenses/MIT']),
        relation('a', 'hasConcludedLicense', ['l1']),
      ),
    );
    expect(packages).toMatchObject([
      {
        supplier: 'Acme',
        licences: [{ expression: 'MIT OR Apache-2.0' }],
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      },
    ]);
  });

  test('that describes itself in a ring has no subject', async () => {
    const ring = element('sbom', 'software_Sbom', { rootElement: ['sbom'] });
    const { sbom } = await readShort({ ...document(npm('a')), '@graph': [ring, npm('a')] });
    expect(sbom.subject.refs).toEqual([]);
  });
});
