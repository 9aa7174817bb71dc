import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
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
        skipped: [{ reason: 'unknown_ecosystem', count: 1 }],
      },
    });
    expect((await upload({ ...document, components: [] })).body).toMatchObject({
      source: 'sbom:shop',
      removed: 1,
      skipped: [],
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

  test('rejects what is no CycloneDX SBOM, and keeps the stack', async () => {
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
        body: { code: 'invalid_input', errors: [{ field: 'document', reason: 'not_cyclonedx' }] },
      });
    }
    expect(await rows()).toHaveLength(components.length - 1);
  });

  test('rejects XML by its media type, and as text', async () => {
    const { key, path, upload } = await newStack(service);
    const xml = '<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4"/>';
    const typed = await service.call(key, 'POST', `${path}/sbom`, xml, { 'content-type': 'application/xml' });
    expect(typed).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expect(await upload(xml)).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
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

  test.skipIf(!hasData)('rejects a real SBOM in XML', async () => {
    const { upload } = await newStack(service);
    const xml = await readFile(dataFile('cyclonedx/SBOM__cern-lhc-vdm-editor-e564943__bom.xml'), 'utf8');
    expect(await upload(xml)).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
  });
});
