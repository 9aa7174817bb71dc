import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareRows } from '../../../src/service/vex/prepare-rows.js';
import { readVex } from '../../../src/service/vex/read-vex.js';
import { receiptOf } from '../../../src/service/vex/receipt.js';
import { isRecord } from '../../../src/shared/json/is-record.js';
import { at, textAt } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory } from '../alerts/advisories.js';
import { dependency, report } from '../reachability/report.js';
import { sumOf, tracked, vexProject } from './vex-project.js';

const folders = ['cyclonedx', 'cyclonedx/vex-use-cases'];
const files = hasData
  ? folders.flatMap((folder) =>
      readdirSync(dataFile(folder))
        .filter((name) => name.endsWith('.json'))
        .map((name) => `${folder}/${name}`),
    )
  : [];

function read(file: string): Record<string, unknown> {
  const document: unknown = JSON.parse(readFileSync(dataFile(file), 'utf8'));
  if (!isRecord(document)) throw new Error(`${file} is no object`);
  return document;
}

describe.runIf(hasData)('real CycloneDX documents', () => {
  test.each(files)('%s: every row is accounted for', async (file) => {
    const given = read(file);
    const document = await readVex(given);
    const vulnerabilities = given['vulnerabilities'];
    expect(document === null).toBe(!Array.isArray(vulnerabilities));
    if (document === null || !Array.isArray(vulnerabilities)) return;
    expect(document.rows.length).toBeGreaterThanOrEqual(vulnerabilities.length);
    const statements = (await prepareRows(document)).map(({ statement }) => statement);
    expect(statements.every(({ ids }) => ids.length > 0)).toBe(true);
    const receipt = receiptOf(document, () => 'taken');
    expect(sumOf(receipt)).toBe(receipt.rows);
    // This one is of all products of its supplier, and names none.
    const nameless = { pointer: '/vulnerabilities/0', reason: 'names nothing that is affected' };
    expect(receipt.skipped_rows).toEqual(file.endsWith('/case-7.vex.json') ? [nameless] : []);
  });
});

describe('a document that the vendor of a project gives', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test.runIf(hasData)('CycloneDX’s own VEX example proposes for the package behind its BOM-Link', async () => {
    const project = await vexProject(service);
    const name = 'com.fasterxml.jackson.core:jackson-databind';
    const facts = advisory('GHSA-288c-cq4h-88gq', '2.10.0', '2.10.5.1', { cves: ['CVE-2020-25649'] });
    await storeAdvisory(service.database, name, facts, {}, 'Maven');
    await project.track('pkg:maven/com.fasterxml.jackson.core/jackson-databind@2.10.0');
    expect((await project.uploadVex(read('cyclonedx/VEX__vex.json'))).proposals.created).toBe(1);
    expect(await project.proposals()).toMatchObject([
      { verdict: 'NotExploitable', statement: { justification: 'code_not_reachable' }, versions: ['2.10.0'] },
    ]);
    for (const [number, verdict] of [
      [1, 'NotExploitable'],
      [2, 'Exploitable'],
    ] as const) {
      const document = read(`cyclonedx/vex-use-cases/case-${number}.vex.json`);
      expect((await project.uploadVex(document)).proposals.created).toBe(0);
      expect((await project.uploadVex(document, '?product=acme%20product')).proposals.created).toBe(1);
      expect((await project.proposals())[0]).toMatchObject({ verdict, statement: { product: 'Acme Product' } });
    }
  });

  test.each([
    ['CycloneDX', '/sbom/document?vex=true'],
    ['OpenVEX', '/vex'],
  ])('this service’s own %s export proposes in a twin project what was decided in the first', async (_name, rest) => {
    const first = await vexProject(service);
    const [dismissed, confirmed] = [await tracked(first), await tracked(first)];
    const open = await first.vulnerable();
    const purls = [dismissed.purl, confirmed.purl, open.purl];
    await first.track(...purls);
    for (const verdict of await first.verdicts()) {
      if (verdict.cve === open.cve) continue;
      const ruling = verdict.cve === dismissed.cve ? 'NotExploitable' : 'Exploitable';
      await first.override(verdict.id, { verdict: ruling, reason: `so: ${ruling}` });
    }
    const exported = (await first.call('GET', rest)).body;
    const twin = await vexProject(service);
    await twin.sync(...purls);
    await twin.upload(report(purls.map((purl) => dependency(purl, 'unused'))));
    const { body } = await service.call(first.organisation.readKey, 'GET', first.path);
    const product = rest === '/vex' ? `urn:postern:project:${first.projectId}` : textAt(body, 'name');
    const { proposals, receipt } = await twin.uploadVex(exported, `?product=${encodeURIComponent(product)}`);
    expect(proposals.created).toBe(2);
    expect(receipt).toMatchObject({ rows: 3, taken: 2, left_out: [{ kind: 'under_investigation', count: 1 }] });
    const made = await twin.proposals();
    expect(new Map(made.map((each) => [each.vulnerability_id, each.verdict]))).toEqual(
      new Map([
        [dismissed.cve, 'NotExploitable'],
        [confirmed.cve, 'Exploitable'],
      ]),
    );
    expect(made.map((each) => `${at(each, 'statement.detail')} ${each.reason}`).join()).toContain('so: NotExploitable');
  });
});
