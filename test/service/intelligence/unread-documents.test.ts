import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { newWorld } from './exposed-world.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const other = { type: 'library', name: 'other', version: '1.0.0', purl: 'pkg:npm/other@1.0.0' };
const handlebars = { name: 'handlebars', version: '4.0.0' };

/** A CycloneDX document with one package that is surely read, and these. */
const bom = (component: object | null, metadata: object = {}) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata,
    components: component === null ? [other] : [other, component],
  });

const xml = (component: string, metadata = '') =>
  `<bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1"><metadata>${metadata}</metadata><components>
    <component type="library"><name>other</name><version>1.0.0</version><purl>pkg:npm/other@1.0.0</purl></component>${component}</components></bom>`;

const spdx2 = (more: object, described = 'SPDXRef-root') =>
  JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'shop',
    documentDescribes: [described],
    packages: [
      { SPDXID: 'SPDXRef-root', name: 'shop' },
      {
        SPDXID: 'SPDXRef-other',
        name: 'other',
        versionInfo: '1.0.0',
        externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: other.purl }],
      },
      { SPDXID: 'SPDXRef-asked', ...more },
    ],
  });

const spdx3 = (more: object) =>
  JSON.stringify({
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'software_Package', spdxId: 'urn:other', name: 'other', software_packageUrl: other.purl },
      { type: 'software_Package', spdxId: 'urn:asked', ...more },
    ],
  });

const library = (more: object) => bom({ type: 'library', ...handlebars, ...more });

const hidden: readonly (readonly [string, Ecosystem, string, string, RegExp])[] = [
  ['an application', 'npm', 'handlebars', bom({ type: 'application', ...handlebars }), /is an application or the like/],
  [
    'a package URL of another type',
    'npm',
    'handlebars',
    library({ purl: 'pkg:bitnami/handlebars@4.0.0' }),
    /has no package URL of a registry/,
  ],
  [
    'a repository',
    'Go',
    'github.com/acme/tool/v2',
    bom({ type: 'library', name: 'tool', purl: 'pkg:github/acme/tool@v2.0.0' }),
    /tool has no package URL of a registry/,
  ],
  [
    'a broken package URL, without a name',
    'npm',
    'handlebars',
    bom({ type: 'library', purl: 'pkg:npm/a/b/handlebars@4.0.0' }),
    /handlebars/,
  ],
  [
    'a package of Debian',
    'PyPI',
    'django',
    bom({ type: 'library', name: 'python3-django', version: '2.0', purl: 'pkg:deb/debian/python3-django@2.0' }),
    /django is a package of an operating system/,
  ],
  [
    'a package of Fedora',
    'npm',
    'handlebars',
    bom({ type: 'library', name: 'nodejs-handlebars', version: '2.0', purl: 'pkg:rpm/fedora/nodejs-handlebars@2.0' }),
    /handlebars is a package of an operating system/,
  ],
  [
    'what the document describes',
    'npm',
    'handlebars',
    bom(null, { component: { type: 'library', ...handlebars, purl: 'pkg:npm/handlebars@4.0.0' } }),
    /\/metadata\/component: handlebars is of the project itself/,
  ],
  [
    'what a component was made from',
    'npm',
    'handlebars',
    bom({
      ...other,
      name: 'ours',
      purl: 'pkg:npm/ours@1.0.0',
      pedigree: { ancestors: [{ type: 'library', ...handlebars, purl: 'pkg:npm/handlebars@4.0.0' }] },
    }),
    /handlebars is replaced by other code/,
  ],
  [
    'a component from a repository of its own',
    'npm',
    'handlebars',
    library({ version: '8.0.0', purl: 'pkg:npm/handlebars@8.0.0?vcs_url=git%2Bssh://git@example.org/h.git' }),
    /handlebars comes from Git/,
  ],
  [
    'a component from an address of its own',
    'npm',
    'handlebars',
    library({ version: '8.0.0', purl: 'pkg:npm/handlebars@8.0.0?download_url=https://example.org/h.tgz' }),
    /handlebars comes from a URL/,
  ],
  [
    'a nested component',
    'npm',
    'handlebars',
    bom({ ...other, components: [{ type: 'library', ...handlebars }] }),
    /\/components\/1\/components\/0: handlebars/,
  ],
  [
    'the product of a CPE',
    'Maven',
    'org.apache.logging.log4j:log4j-core',
    bom({ type: 'library', name: 'log4j', version: '2.14.0', cpe: 'cpe:2.3:a:apache:log4j:2.14.0' }),
    /log4j has no package URL/,
  ],
  [
    'a product',
    'Maven',
    'org.springframework:spring-beans',
    bom({ type: 'framework', name: 'Spring Framework', version: '5.0.0' }),
    /Spring Framework has no package URL/,
  ],
  [
    'a title with its publisher',
    'Maven',
    'org.apache.commons:commons-text',
    bom({ type: 'library', name: 'Apache Commons Text', version: '1.9' }),
    /Apache Commons Text has no package URL/,
  ],
  [
    'a snapshot’s archive',
    'Maven',
    'org.acme:foo',
    bom({ type: 'library', name: 'foo-1.0-SNAPSHOT.jar', version: '1' }),
    /foo-1\.0-SNAPSHOT\.jar/,
  ],
  [
    'a wheel',
    'PyPI',
    'django',
    bom({ type: 'library', name: 'Django-2.0-py3-none-any.whl', version: '1' }),
    /Django-2\.0/,
  ],
  [
    'an archive of NuGet',
    'NuGet',
    'Newtonsoft.Json',
    bom({ type: 'library', name: 'Newtonsoft.Json.12.0.3.nupkg', version: '1' }),
    /Newtonsoft\.Json\.12/,
  ],
  [
    'a capital that the tool has lost',
    'npm',
    'JSONStream',
    bom({ type: 'library', name: 'jsonstream', purl: 'pkg:npm/jsonstream' }),
    /jsonstream has no version/,
  ],
  [
    'a title with capitals, without version',
    'npm',
    'world-titled',
    bom({ type: 'library', name: 'World-Titled', purl: 'pkg:npm/world-titled' }),
    /World-Titled has no version/,
  ],
  [
    'a title with capitals, that may be the name of an old package',
    'npm',
    'world-capital',
    bom({ type: 'library', name: 'World-Capital', version: '1.0.0', purl: 'pkg:npm/world-capital@1.0.0' }),
    /World-Capital has no valid package name/,
  ],
  [
    'modules of Go without Go',
    'Go',
    'stdlib',
    bom({ type: 'library', name: 'x', purl: 'pkg:golang/example.org/x@v1.0.0' }),
    /stdlib comes with the runtime, whose version is not stated/,
  ],
  [
    'the same, of its tools',
    'Go',
    'toolchain',
    bom({ type: 'library', name: 'x', purl: 'pkg:golang/example.org/x@v1.0.0' }),
    /toolchain comes with Go itself/,
  ],
  [
    'a numeric branch',
    'Packagist',
    'symfony/http-kernel',
    bom({ type: 'library', name: 'http-kernel', purl: 'pkg:composer/symfony/http-kernel@8.1.x-dev' }),
    /has no version that can be compared/,
  ],
  [
    'a component of XML',
    'npm',
    'handlebars',
    xml('<component type="library"><name>handlebars</name><version>4.0.0</version></component>'),
    /handlebars has no package URL/,
  ],
  [
    'what XML describes',
    'npm',
    'handlebars',
    xml(
      '',
      '<component type="library"><name>handlebars</name><version>4.0.0</version><purl>pkg:npm/handlebars@4.0.0</purl></component>',
    ),
    /handlebars is of the project itself/,
  ],
  [
    'an ancestor in XML',
    'npm',
    'handlebars',
    xml(
      '<component type="library"><name>x</name><version>1.0.0</version><purl>pkg:npm/x@1.0.0</purl><pedigree><ancestors><component type="library"><name>handlebars</name><version>4.0.0</version></component></ancestors></pedigree></component>',
    ),
    /handlebars is replaced by other code/,
  ],
  [
    'a package of SPDX 2',
    'npm',
    'handlebars',
    spdx2({ name: 'handlebars', versionInfo: '4.0.0' }),
    /\/packages\/2: handlebars has no package URL/,
  ],
  [
    'what SPDX 2 describes',
    'npm',
    'ghost',
    spdx2({ name: 'ghost', versionInfo: '4.0.0' }, 'SPDXRef-asked'),
    /ghost is of the project itself/,
  ],
  [
    'a package of SPDX 3',
    'npm',
    'handlebars',
    spdx3({ name: 'handlebars', software_packageVersion: '4.0.0' }),
    /handlebars has no package URL/,
  ],
];

test.each(hidden)('%s: it is unknown, and the gap names it', async (_what, ecosystem, name, document, gap) => {
  const world = await newWorld(service, ecosystem, name);
  expect(await world.upload(document)).toMatchObject({ status: 200 });
  const { exposed } = await world.answers();
  expect(exposed).toEqual({ status: 'unknown', gaps: expect.arrayContaining([expect.stringMatching(gap)]) });
});

const clear: readonly (readonly [string, Ecosystem, string, string])[] = [
  ['a document without it', 'npm', 'handlebars', bom(null)],
  ['it at a safe version', 'npm', 'handlebars', library({ version: '8.0.0', purl: 'pkg:npm/handlebars@8.0.0' })],
  [
    'the address of the registry itself',
    'npm',
    'handlebars',
    library({
      purl: 'pkg:npm/handlebars@8.0.0?download_url=https://registry.example.org/handlebars/-/handlebars-8.0.0.tgz',
    }),
  ],
  ['a lock file that a scanner lists', 'npm', 'handlebars', bom({ type: 'application', name: 'handlebars.json' })],
  ['a language that a scanner lists', 'npm', '@python/python', bom({ type: 'application', name: 'Python' })],
  [
    'packages of systems and of other registries',
    'npm',
    'handlebars',
    bom({ type: 'library', name: 'bash', purl: 'pkg:deb/debian/bash@5' }),
  ],
  [
    'an application of another name',
    'npm',
    'handlebars',
    bom(null, { component: { type: 'application', name: 'shop', version: '4.0.0' } }),
  ],
  ['a package of another registry under its name', 'npm', 'handlebars', library({ purl: 'pkg:pub/handlebars@4.0.0' })],
  [
    'a runtime, of a package that begins like it',
    'npm',
    '@acme/node-fetch',
    bom({ type: 'library', name: 'node', version: '18.0.0' }),
  ],
  [
    'Go itself, at a later version',
    'Go',
    'stdlib',
    bom({ type: 'library', name: 'stdlib', version: 'go9.0.1', purl: 'pkg:golang/stdlib@go9.0.1' }),
  ],
];

test.each(clear)('%s: it is not affected', async (_what, ecosystem, name, document) => {
  const world = await newWorld(service, ecosystem, name);
  expect(await world.upload(document)).toMatchObject({ status: 200 });
  expect((await world.answers()).exposed).toEqual({ status: 'not_affected', gaps: [] });
});

test('components of what a document describes are its packages', async () => {
  const world = await newWorld(service, 'npm', 'handlebars');
  const inner = { type: 'library', ...handlebars, purl: 'pkg:npm/handlebars@4.0.0' };
  const { body } = await world.upload(
    bom(null, { component: { type: 'application', name: 'shop', components: [inner] } }),
  );
  expect(body).toMatchObject({ receipt: { rows: 2, taken: 2 } });
  expect((await world.answers()).exposed.status).toBe('affected');
});

test('Go’s own spelling of a version is read', async () => {
  for (const [version, status] of [
    ['go1.24rc2', 'affected'],
    ['go1.24rc3', 'not_affected'],
  ] as const) {
    const world = await newWorld(service, 'Go', 'stdlib', '1.24.0-rc.3');
    await world.upload(bom({ type: 'library', name: 'stdlib', version, purl: `pkg:golang/stdlib@${version}` }));
    expect((await world.answers()).exposed.status).toBe(status);
  }
});

test('Go’s standard library is read under the name that cyclonedx-gomod gives it', async () => {
  const world = await newWorld(service, 'Go', 'stdlib');
  await world.upload(bom({ type: 'library', name: 'std', version: 'go1.20.1', purl: 'pkg:golang/std@1.20.1' }));
  expect((await world.answers()).exposed).toMatchObject({ status: 'affected' });
});

test('a document beside a lock file: each source answers for itself', async () => {
  const world = await newWorld(service, 'npm', 'handlebars');
  await world.sync({ source: 'package-lock.json', packages: [{ purl: 'pkg:npm/handlebars@8.0.0' }] });
  expect((await world.answers()).exposed.status).toBe('not_affected');
  await world.upload(library({}), 'image');
  const { exposed, alerts } = await world.answers();
  expect([exposed, alerts.status]).toMatchObject([
    { status: 'unknown', gaps: [expect.stringMatching(/^shop: image, \/components\/1: handlebars/)] },
    'unknown',
  ]);
});
