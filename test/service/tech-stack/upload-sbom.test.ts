import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { countPurls, readSbomFile, sbomFiles } from './sboms.js';
import { newStack, noAlerts } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('an SBOM upload', () => {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name: 'shop', 'bom-ref': 'root' } },
    components: [
      { name: 'a', purl: 'pkg:npm/a@1.0.0', 'bom-ref': 'a' },
      { name: 'curl', purl: 'pkg:deb/debian/curl@7.50.3-1' },
    ],
    dependencies: [{ ref: 'root', dependsOn: ['a'] }],
  };

  test('syncs a source of its own', async () => {
    const { upload, sync, rows, audited } = await newStack(service);
    await sync([{ purl: 'pkg:npm/b@1.0.0' }]);
    expect(await upload(document)).toMatchObject({
      status: 200,
      body: {
        source: 'sbom:shop',
        added: 1,
        removed: 0,
        alerts: noAlerts,
        format: 'CycloneDX 1.5',
        receipt: { rows: 2, taken: 2, merged: 0, skipped: 0, skipped_rows: [], left_out: [] },
        not_matched: {
          count: 1,
          types: [{ type: 'deb', count: 1 }],
          note: expect.stringContaining('scan of the image'),
        },
        vulnerabilities: { rows: 0, without_alert: 0 },
      },
    });
    expect((await upload({ ...document, components: [] }, '?force=true')).body).toMatchObject({
      source: 'sbom:shop',
      removed: 1,
      receipt: { rows: 0 },
      not_matched: { count: 0, types: [], note: null },
    });
    expect((await upload(document, '?source=other')).body).toMatchObject({ source: 'other', added: 1 });
    expect(await rows()).toMatchObject([{ source: 'other', name: 'a', direct: true }, { source: 'package-lock.json' }]);
    expect((await audited()).map(({ action }) => action)).toEqual([
      'tech_stack.sync',
      'tech_stack.upload_sbom',
      'tech_stack.upload_sbom',
      'tech_stack.upload_sbom',
    ]);
  });

  test('that would remove most of its source is refused until it is forced', async () => {
    const { upload, rows } = await newStack(service);
    const many = (...names: string[]) => ({
      ...document,
      components: names.map((name) => ({ name, purl: `pkg:npm/${name}@1.0.0` })),
    });
    await upload(many('a', 'b', 'c', 'd', 'e', 'f'));
    expect(await upload(many('f'))).toMatchObject({
      status: 409,
      body: { code: 'conflict', reason: 'mostly_removed', removal: { removed: 5, of: 6 } },
    });
    expect(await rows()).toHaveLength(6);
    expect(await upload(many('f'), '?force=true')).toMatchObject({ status: 200, body: { removed: 5, unchanged: 1 } });
  });

  test('rejects what is no SBOM, and keeps the stack', async () => {
    const { upload, rows } = await newStack(service);
    await upload(document);
    const { components, ...vex } = document;
    for (const bad of [
      {},
      { ...document, bomFormat: 'SPDX' },
      { ...document, specVersion: '1.1' },
      { ...vex, vulnerabilities: [] },
    ]) {
      expect(await upload(bad)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', errors: [{ field: expect.stringMatching(/^document/), reason: 'not_sbom' }] },
      });
    }
    expect(await rows()).toHaveLength(components.length - 1);
  });

  test('takes XML, also where its media type says JSON', async () => {
    const { key, path, upload, rows } = await newStack(service);
    const xml = `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components>
      <component type="library"><name>a</name><version>1.0.0</version><purl>pkg:npm/a@1.0.0</purl></component>
    </components></bom>`;
    const typed = await service.call(key, 'POST', `${path}/sbom`, xml, { 'content-type': 'application/xml' });
    expect(typed).toMatchObject({ status: 200, body: { format: 'CycloneDX 1.4 XML', added: 1 } });
    expect(await rows()).toMatchObject([{ name: 'a', version: '1.0.0' }]);
    expect(await upload(xml)).toMatchObject({ status: 200, body: { format: 'CycloneDX 1.4 XML', unchanged: 1 } });
  });

  test('survives a document that nests without end', async () => {
    const { upload } = await newStack(service);
    const depth = 5_000;
    const text = `${'{"name":"a","components":['.repeat(depth)}{"name":"b"}${']}'.repeat(depth)}`;
    const answer = await upload(`{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${text}]}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'must not nest deeper than 128 levels' }] },
    });
  });

  test.skipIf(!hasData)('takes every real SBOM', async () => {
    for (const name of sbomFiles()) {
      const { upload, path, key } = await newStack(service);
      const real = readSbomFile(name);
      const answer = await upload(real);
      if (!('components' in real)) {
        expect(answer.status, name).toBe(422);
        continue;
      }
      const { distinct } = countPurls(real);
      expect(answer, name).toMatchObject({ status: 200, body: { added: distinct, unchanged: 0 } });
      expect(at((await service.call(key, 'GET', `${path}?page_size=1`)).body, 'total'), name).toBe(distinct);
      expect((await upload(real)).body, name).toMatchObject({ added: 0, updated: 0, removed: 0, unchanged: distinct });
    }
  });

  test.skipIf(!hasData)('takes a real SBOM in XML as it takes the same one in JSON', async () => {
    const [json, xml] = [await newStack(service), await newStack(service)];
    const text = await readFile(dataFile('cyclonedx/SBOM__cern-lhc-vdm-editor-e564943__bom.xml'), 'utf8');
    const type = { 'content-type': 'application/vnd.cyclonedx+xml' };
    expect((await service.call(xml.key, 'POST', `${xml.path}/sbom`, text, type)).status).toBe(200);
    await json.upload(readSbomFile('SBOM__cern-lhc-vdm-editor-e564943__bom.json'));
    const facts = async (stack: typeof json) =>
      (await stack.rows()).map(({ ecosystem, name, version, scope, direct, licences, hashes }) => ({
        ...{ ecosystem, name, version, scope, direct, licences, hashes },
      }));
    expect(await facts(xml)).toEqual(await facts(json));
    expect(await xml.rows()).toHaveLength(43);
  });
});

describe('vulnerabilities that an SBOM states', () => {
  const cve = unique.cve();
  const stated = (id: string, ref: string, more: object = {}) => ({ id, affects: [{ ref }], ...more });
  const document = (name: string) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [
      { name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0`, 'bom-ref': 'a' },
      { name: 'bash', version: '5', purl: 'pkg:deb/debian/bash@5', 'bom-ref': 'b' },
    ],
    vulnerabilities: [
      stated(cve, 'a', { ratings: [{ severity: 'medium', score: 5.5, method: 'CVSSv31' }, { severity: 'info' }] }),
      stated('CVE-1999-0001', 'b', {
        ratings: [{ severity: 'critical', source: { name: 'debian' } }],
        analysis: { state: 'not_affected', detail: 'not run' },
        description: 'x'.repeat(100_000),
      }),
      stated('CVE-1999-0001', 'b'),
      { affects: [] },
    ],
  });

  test('are counted, and listed with the alert on them if there is one', async () => {
    const { upload, path, key } = await newStack(service);
    const name = unique.packageName();
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', { cves: [cve] }));
    expect(await upload(document(name))).toMatchObject({
      status: 200,
      body: {
        alerts: { opened: 1 },
        vulnerabilities: {
          ...{ rows: 4, taken: 2, merged: 1, skipped: 1, without_alert: 1 },
          skipped_rows: [{ pointer: '/vulnerabilities/3', reason: expect.stringContaining('id') }],
        },
      },
    });
    const list = async () => (await service.call(key, 'GET', `${path}/reported-vulnerabilities`)).body;
    expect(await list()).toMatchObject({
      total: 2,
      items: [
        {
          vulnerability_id: 'CVE-1999-0001',
          affects: ['pkg:deb/debian/bash@5'],
          severity: 'critical',
          analysis_state: 'not_affected',
          analysis_detail: 'not run',
          alert_id: null,
        },
        {
          vulnerability_id: cve,
          affects: [`pkg:npm/${name}@1.0.0`],
          severity: 'moderate',
          ratings: [{ score: 5.5 }, { severity: 'info' }],
          alert_id: expect.stringMatching(/^alr_/),
        },
      ],
    });
    expect(at(await list(), 'items.0.description')).toHaveLength(1000);
    await upload({ ...document(name), vulnerabilities: [] }, '?source=other');
    expect(await list()).toMatchObject({ total: 2 });
    const { vulnerabilities: _, ...without } = document(name);
    await upload(without);
    expect(await list()).toMatchObject({ total: 0 });
  });

  test('are another organisation’s own', async () => {
    const [ours, theirs] = [await newStack(service), await newStack(service)];
    await ours.upload(document(unique.packageName()));
    const stranger = await service.call(theirs.key, 'GET', `${ours.path}/reported-vulnerabilities`);
    expect(stranger).toMatchObject({ status: 404, body: { resource: 'project' } });
  });
});

test('an XML document with entities of its own is refused, at its place', async () => {
  const { key, path } = await newStack(service);
  const type = { 'content-type': 'text/xml' };
  const bomb = `<?xml version="1.0"?>\n<!DOCTYPE bom [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.4"/>`;
  const deep = `<bom xmlns="http://cyclonedx.org/schema/bom/1.4">${'<components><component>'.repeat(5_000)}`;
  const cases = [
    [bomb, 'document type'],
    [deep, 'deeper than 160'],
    ['<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components>', 'well-formed'],
    ['<Assets/>', 'the element bom'],
    ['<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><constructor><__proto__/></constructor></bom>', 'no components'],
  ] as const;
  for (const [text, words] of cases) {
    expect(await service.call(key, 'POST', `${path}/sbom`, text, type)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(words), errors: [{ reason: 'not_sbom' }] },
    });
  }
});
