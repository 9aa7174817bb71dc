import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { dependency, report } from '../reachability/report.js';
import { conventionFaults } from './conventions.js';
import { exportedProject } from './exported-project.js';
import { schemaFaultsOf } from './official-schema.js';
import { faultsOf } from './strict-validator.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const stack = [
  { ecosystem: 'npm', name: '@scope/a', version: '1.0.0', direct: true },
  { ecosystem: 'npm', name: 'b', version: '2.0.0', scope: 'development', direct: false },
  { ecosystem: 'Maven', name: 'org.example:c', version: '3.0', scope: 'optional', direct: true },
];

test('answers format, counts, size, hash and path of the document, whose bytes are those', async () => {
  const project = await exportedProject(service);
  await project.syncAll(stack);
  const summary = await project.summary();
  expect(summary).toMatchObject({
    format: 'CycloneDX',
    spec_version: '1.6',
    components: 3,
    vulnerabilities: 0,
    url: `${project.path}/sbom/document`,
  });
  const response = await fetch(`${service.url}${textAt(summary, 'url')}`, {
    headers: { authorization: `Bearer ${project.organisation.readKey}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(at(summary, 'bytes')).toBe(bytes.length);
  expect(at(summary, 'sha256')).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(at(summary, 'document')).toEqual(JSON.parse(bytes.toString()));
  expect(at(summary, 'document.serialNumber')).toBe(at(summary, 'serial_number'));
});

test('is of the project, its packages in scopes, and the direct ones under it', async () => {
  const project = await exportedProject(service);
  await project.call('PATCH', '', { name: 'shop', repo: 'https://example.com/shop?a=[b]' });
  await project.syncAll(stack);
  const document = await project.document();
  expect(await faultsOf(document)).toBeNull();
  const root = `project:${project.projectId}`;
  expect(document).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'shop',
        externalReferences: [{ type: 'vcs', url: 'https://example.com/shop?a=%5Bb%5D' }],
      },
    },
    dependencies: [{ ref: root, dependsOn: ['pkg:maven/org.example/c@3.0', 'pkg:npm/%40scope/a@1.0.0'] }],
    compositions: [
      { aggregate: 'complete', dependencies: [root] },
      {
        aggregate: 'unknown',
        dependencies: ['pkg:maven/org.example/c@3.0', 'pkg:npm/%40scope/a@1.0.0', 'pkg:npm/b@2.0.0'],
      },
    ],
  });
  expect(at(document, 'components')).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:maven/org.example/c@3.0',
      group: 'org.example',
      name: 'c',
      version: '3.0',
      scope: 'optional',
      purl: 'pkg:maven/org.example/c@3.0',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40scope/a@1.0.0',
      group: '@scope',
      name: 'a',
      version: '1.0.0',
      scope: 'required',
      purl: 'pkg:npm/%40scope/a@1.0.0',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/b@2.0.0',
      name: 'b',
      version: '2.0.0',
      scope: 'excluded',
      purl: 'pkg:npm/b@2.0.0',
      properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
    },
  ]);
  expect(document).not.toHaveProperty('vulnerabilities');
});

test('says where it does not know what is direct', async () => {
  const project = await exportedProject(service);
  await project.syncAll(stack.map(({ direct: _, ...each }) => each));
  expect(await project.document()).toMatchObject({ dependencies: [], compositions: [{ aggregate: 'unknown' }] });
  await project.syncAll(stack.slice(0, 1), 'other');
  expect(await project.document()).toMatchObject({
    dependencies: [{ dependsOn: ['pkg:npm/%40scope/a@1.0.0'] }],
    compositions: [{ aggregate: 'incomplete' }, { aggregate: 'unknown' }],
  });
});

test('lists what each package needs, as complete only where the sync has sent all of it', async () => {
  const project = await exportedProject(service);
  await project.syncAll([
    { purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [1, 2] },
    { purl: 'pkg:npm/b@1.0.0', direct: false, dependencies: [], incomplete: true },
    { purl: 'pkg:npm/c@1.0.0', direct: false, dependencies: [] },
    { purl: 'pkg:npm/d@1.0.0', direct: false },
  ]);
  const [root, a, b, c, d] = [
    `project:${project.projectId}`,
    ...['a', 'b', 'c', 'd'].map((name) => `pkg:npm/${name}@1.0.0`),
  ];
  const document = await project.document();
  expect(await faultsOf(document)).toBeNull();
  expect(schemaFaultsOf(document)).toEqual([]);
  expect(conventionFaults(document)).toEqual([]);
  expect(document).toMatchObject({
    dependencies: [{ ref: root, dependsOn: [a] }, { ref: a, dependsOn: [b, c] }, { ref: b }, { ref: c }],
    compositions: [
      { aggregate: 'complete', dependencies: [root, a, c] },
      { aggregate: 'incomplete', dependencies: [b] },
      { aggregate: 'unknown', dependencies: [d] },
    ],
    metadata: { manufacturer: { name: expect.any(String) } },
  });
});

test('is no longer complete after a change by hand', async () => {
  const project = await exportedProject(service);
  await project.syncAll([
    { purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [1] },
    { purl: 'pkg:npm/b@1.0.0', direct: false, dependencies: [] },
  ]);
  const { body } = await project.call('GET', '/tech-stack');
  const idOf = (place: number) => textAt(body, `items.${place}.id`);
  await project.call('PATCH', `/tech-stack/${idOf(1)}`, { version: '1.0.1' });
  const root = `project:${project.projectId}`;
  expect(await project.document()).toMatchObject({
    dependencies: [{ ref: root, dependsOn: ['pkg:npm/a@1.0.0'] }, { ref: 'pkg:npm/a@1.0.0' }],
    compositions: [
      { aggregate: 'complete', dependencies: [root] },
      { aggregate: 'incomplete', dependencies: ['pkg:npm/a@1.0.0'] },
      { aggregate: 'unknown', dependencies: ['pkg:npm/b@1.0.1'] },
    ],
  });
  await project.call('DELETE', `/tech-stack/${idOf(0)}`);
  expect(await project.document()).toMatchObject({
    dependencies: [{ ref: root }],
    compositions: [{ aggregate: 'incomplete', dependencies: [root] }, { aggregate: 'unknown' }],
  });
});

test('an added package makes the list of direct ones incomplete, and an empty stack says nothing of it', async () => {
  const project = await exportedProject(service);
  const root = `project:${project.projectId}`;
  expect(await project.document()).toMatchObject({ compositions: [{ aggregate: 'unknown', dependencies: [root] }] });
  await project.syncAll([{ purl: 'pkg:npm/a@1.0.0', direct: true, dependencies: [] }]);
  expect(await project.document()).toMatchObject({ compositions: [{ aggregate: 'complete' }] });
  await project.call('POST', '/tech-stack', { ecosystem: 'npm', name: 'b', version: '1.0.0' });
  expect(await project.document()).toMatchObject({
    compositions: [
      { aggregate: 'complete', dependencies: ['pkg:npm/a@1.0.0'] },
      { aggregate: 'incomplete', dependencies: [root] },
      { aggregate: 'unknown', dependencies: ['pkg:npm/b@1.0.0'] },
    ],
  });
});

test('licences, digests, suppliers and packages that no feed matches come out as they went in', async () => {
  const project = await exportedProject(service);
  const facts = {
    supplier: { name: 'Acme' },
    hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
  };
  const components = [
    {
      type: 'library',
      'bom-ref': '1',
      name: 'a',
      version: '1.0.0',
      purl: 'pkg:npm/a@1.0.0',
      ...facts,
      licenses: [{ license: { id: 'MIT' } }, { license: { name: 'Our own' } }],
    },
    {
      type: 'library',
      'bom-ref': '2',
      name: 'bash',
      version: '5.2',
      purl: 'pkg:deb/debian/bash@5.2?distro=debian-12&arch=arm64',
      ...facts,
      licenses: [{ expression: 'GPL-3.0-or-later OR MIT' }],
    },
    {
      type: 'framework',
      'bom-ref': '3',
      group: 'org',
      name: 'z b',
      version: '1',
      licenses: [{ expression: 'a b' }, { license: { id: 'no id' } }],
    },
  ];
  const given = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components,
    dependencies: [{ ref: '1', dependsOn: ['2', '3'] }],
  };
  expect((await project.call('POST', '/tech-stack/sbom', given)).status).toBe(200);
  const document = await project.document();
  expect(await faultsOf(document)).toBeNull();
  expect(schemaFaultsOf(document)).toEqual([]);
  expect(conventionFaults(document)).toEqual([]);
  const bash = 'pkg:deb/debian/bash@5.2?arch=arm64&distro=debian-12';
  expect(document).toMatchObject({
    components: [
      { purl: 'pkg:npm/a@1.0.0', ...facts, licenses: [{ license: { id: 'MIT' } }, { license: { name: 'Our own' } }] },
      {
        type: 'framework',
        'bom-ref': 'framework z b 1',
        group: 'org',
        name: 'z b',
        licenses: [{ license: { name: 'a b' } }, { license: { name: 'no id' } }],
      },
      { 'bom-ref': bash, purl: bash, ...facts, licenses: [{ expression: 'GPL-3.0-or-later OR MIT' }] },
    ],
    dependencies: [{ ref: 'pkg:npm/a@1.0.0', dependsOn: ['framework z b 1', bash].sort() }],
  });
});

test('a package of two manifests comes once, with the stronger scope', async () => {
  const project = await exportedProject(service);
  await project.syncAll([{ ecosystem: 'PyPI', name: 'A_b', version: '1', scope: 'development', direct: false }], 'one');
  await project.syncAll([{ ecosystem: 'PyPI', name: 'a-b', version: '1', direct: true }], 'two');
  const document = await project.document();
  expect(document).toMatchObject({ components: [{ purl: 'pkg:pypi/a-b@1', scope: 'required' }] });
  expect(at(document, 'components.length')).toBe(1);
});

test('the same state gives the same bytes, in whatever order it came about; another state another serial number', async () => {
  const project = await exportedProject(service);
  await project.syncAll(stack);
  const first = await project.summary('?vex=true');
  expect(await project.summary('?vex=true')).toEqual(first);
  await project.syncAll(stack.slice(1));
  const between = await project.summary('?vex=true');
  expect(at(between, 'serial_number')).not.toBe(at(first, 'serial_number'));
  await project.syncAll([...stack].reverse());
  const again = await project.summary('?vex=true');
  const withoutTime = (body: unknown) => ({ ...Object(at(body, 'document')), serialNumber: '', metadata: '' });
  expect(withoutTime(again)).toEqual(withoutTime(first));
  expect(at(again, 'bytes')).toBe(at(first, 'bytes'));
  expect(textAt(first, 'serial_number')).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('a document that CycloneDX does not know is found out by the validator of these tests', async () => {
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ type: 'library', name: 'a' }] };
  expect(await faultsOf(document)).toBeNull();
  expect(await faultsOf({ ...document, components: [{ type: 'library', name: 'a', scope: 'dev' }] })).not.toBeNull();
  expect(await faultsOf({ ...document, made_up: true })).not.toBeNull();
});

test('an empty stack is a valid document', async () => {
  const project = await exportedProject(service);
  expect(await faultsOf(await project.document('?vex=true'))).toBeNull();
});

test('odd names and versions make a valid document', async () => {
  const project = await exportedProject(service);
  const odd = [
    '@a/b',
    '@/x',
    'a/',
    '/',
    ':',
    'a:b',
    'ü',
    '😀',
    '%41',
    '"quoted"',
    '<b>',
    '../../etc',
    'a@b',
    '\\',
    '{}',
    '__proto__',
  ];
  const packages = ecosystems.flatMap((ecosystem) => odd.map((name) => ({ ecosystem, name, version: '1.0.0' })));
  expect((await project.syncAll(packages)).status).toBe(200);
  for (const query of ['', '?vex=true']) {
    const document = await project.document(query);
    expect(await faultsOf(document)).toBeNull();
    const components = at(document, 'components');
    if (!Array.isArray(components)) throw new Error('no components');
    expect(new Set(components.map((component) => at(component, 'bom-ref'))).size).toBe(components.length);
  }
});

test('a document beyond 64 KiB comes inline only where it is asked for', async () => {
  const project = await exportedProject(service);
  const packages = Array.from({ length: 600 }, (_, place) => ({
    ecosystem: 'npm',
    name: `n-${place}`,
    version: '1.0.0',
  }));
  await project.syncAll(packages);
  const summary = await project.summary();
  expect(at(summary, 'bytes')).toBeGreaterThan(64 * 1024);
  expect(at(summary, 'document')).toBeNull();
  expect(at(await project.summary('?include_document=true'), 'document.components.length')).toBe(600);
});

describe('needs an Enterprise plan', () => {
  test.each(['Free', 'Business'] as const)('%s is refused', async (plan) => {
    const organisation = await service.newOrganisation({ plan });
    const id = await newProject(service, organisation);
    for (const rest of ['/sbom', '/sbom/document', '/vex']) {
      expect(await service.call(organisation.writeKey, 'GET', `/api/projects/${id}${rest}`)).toMatchObject({
        status: 403,
        body: { code: 'plan_required' },
      });
    }
  });

  test('and another organisation’s project is not found', async () => {
    const [project, stranger] = [await exportedProject(service), await exportedProject(service)];
    for (const rest of ['/sbom', '/sbom/document', '/vex']) {
      expect(await service.call(stranger.organisation.readKey, 'GET', `${project.path}${rest}`)).toMatchObject({
        status: 404,
        body: { resource: 'project' },
      });
    }
  });
});

describe('uploaded again', () => {
  const shapes = (document: unknown) => {
    const components = at(document, 'components');
    const dependsOn = at(document, 'dependencies.0.dependsOn');
    return { components, dependsOn };
  };

  test('it brings the same components, scopes and direct dependencies into another project', async () => {
    const [from, to] = [await exportedProject(service), await exportedProject(service)];
    await from.syncAll([
      ...stack,
      { ecosystem: 'Go', name: 'example.com/x/y', version: 'v1.2.3', scope: 'development', direct: false },
    ]);
    const document = await from.document('?vex=true');
    expect(await to.call('POST', '/tech-stack/sbom', document)).toMatchObject({
      status: 200,
      body: { added: 4, receipt: { rows: 4, taken: 4, skipped: 0 } },
    });
    expect(shapes(await to.document())).toEqual(shapes(document));
  });

  test('into its own project, it leaves alerts, verdicts and overrides as they are', async () => {
    const project = await exportedProject(service);
    const { purl } = await project.vulnerable();
    await project.sync(purl);
    await project.upload(report([dependency(purl, 'unused')]));
    const [verdict] = await project.verdicts();
    await project.override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'sandboxed' });
    const before = await project.verdicts();
    const document = await project.document('?vex=true');
    await project.call('POST', '/tech-stack/sbom?source=lock', document);
    expect(await project.verdicts()).toEqual(before);
    expect(at(await project.document('?vex=true'), 'vulnerabilities')).toEqual(at(document, 'vulnerabilities'));
    expect(at(document, 'vulnerabilities.0.analysis.state')).toBe('not_affected');
  });
});
