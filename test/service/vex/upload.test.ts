import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import {
  affected,
  csaf,
  cycloneDx,
  notAffected,
  openVex,
  sumOf,
  tracked,
  type VexProject,
  type Vulnerable,
  vexProject,
} from './vex-project.js';

let service: TestService;
let project: VexProject;
let found: Vulnerable;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  project = await vexProject(service);
  found = await tracked(project);
});
afterAll(() => service.close());

describe('a statement on a package that the project tracks', () => {
  const analysis = { state: 'not_affected', justification: 'code_not_reachable', detail: 'We never call it.' };
  const documents = {
    'OpenVEX 0.2.0': () => openVex([notAffected(found.cve, { '@id': found.purl })]),
    'OpenVEX 0.2.0 by identifier': () =>
      openVex([notAffected(found.cve, { '@id': 'urn:x', identifiers: { purl: found.purl } })]),
    'OpenVEX 0.0.1': () =>
      openVex([{ ...notAffected(found.cve, found.purl), vulnerability: found.cve }], {
        '@context': 'https://openvex.dev/ns',
        version: '1',
      }),
    'CycloneDX by package URL': () => cycloneDx([{ id: found.cve, analysis, affects: [{ ref: found.purl }] }]),
    'CycloneDX by bom-ref': () =>
      cycloneDx([{ id: found.cve, analysis, affects: [{ ref: 'lib' }] }], {
        components: [{ 'bom-ref': 'app', components: [{ 'bom-ref': 'lib', name: found.name, purl: found.purl }] }],
      }),
    'CycloneDX by BOM-Link': () =>
      cycloneDx([
        {
          id: found.cve,
          analysis,
          affects: [{ ref: `urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#${encodeURIComponent(found.purl)}` }],
        },
      ]),
    'CycloneDX false positive': () =>
      cycloneDx([
        { id: found.cve, analysis: { state: 'false_positive', detail: 'Odd.' }, affects: [{ ref: found.purl }] },
      ]),
    CSAF: () =>
      csaf(
        {
          branches: [
            {
              category: 'vendor',
              name: 'Acme',
              branches: [
                {
                  category: 'product_version',
                  name: '1.0.0',
                  product: {
                    name: 'lib',
                    product_id: 'P1',
                    product_identification_helper: { purl: found.purl.replace(/@1.0.0$/, '') },
                  },
                },
              ],
            },
          ],
        },
        [
          {
            cve: found.cve,
            product_status: { known_not_affected: ['P1'] },
            flags: [{ label: 'vulnerable_code_not_in_execute_path', product_ids: ['P1'] }],
            threats: [{ category: 'impact', details: 'We never call it.', product_ids: ['P1'] }],
          },
        ],
      ),
  };

  test.each(Object.entries(documents))('%s proposes, and changes no verdict', async (_name, document) => {
    const before = await project.written();
    const { receipt, proposals } = await project.uploadVex(document());
    expect(receipt).toEqual({ rows: 1, taken: 1, merged: 0, skipped: 0, skipped_rows: [], left_out: [] });
    expect(proposals).toEqual({ created: 1, unchanged: 0, superseded: 0 });
    const [proposal, ...others] = await project.proposals('&state=pending');
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      state: 'pending',
      verdict: 'NotExploitable',
      vulnerability_id: found.cve,
      package: { ecosystem: 'npm', name: found.name },
      versions: ['1.0.0'],
      statement: { status: 'not_affected' },
      decided: null,
    });
    expect(await project.written()).toEqual(before);
  });

  test('"affected" proposes Exploitable, with the words of the document as the reason', async () => {
    await project.uploadVex(openVex([affected(found.cve, { '@id': found.purl })]));
    const [proposal] = await project.proposals();
    expect(proposal).toMatchObject({
      verdict: 'Exploitable',
      statement: { status: 'affected', detail: 'Update to 2.0.0.', product: found.purl },
      document: { format: 'openvex', name: 'https://acme.example/vex/1', version: '1', author: 'Acme PSIRT' },
    });
    expect(proposal?.reason).toBe(
      `VEX: affected, of ${found.purl}: Update to 2.0.0. (Acme PSIRT; OpenVEX document https://acme.example/vex/1, version 1; 2025-01-02)`,
    );
  });

  test.each(['fixed', 'under_investigation'])('"%s" proposes nothing and is counted by kind', async (status) => {
    const { receipt } = await project.uploadVex(
      openVex([{ vulnerability: { name: found.cve }, products: [{ '@id': found.purl }], status }]),
    );
    expect(receipt).toMatchObject({ rows: 1, taken: 0, skipped: 0, left_out: [{ kind: status, count: 1 }] });
    expect(await project.proposals()).toEqual([]);
  });

  test('the vulnerability goes by any id that is held for it, in any case', async () => {
    const alias = `snyk-${found.cve}`;
    await service.database.system((tx) =>
      tx
        .updateTable('advisories')
        .set({ aliases: [alias] })
        .where('id', '=', found.advisoryId)
        .execute(),
    );
    for (const [place, id] of [
      found.cve.toLowerCase(),
      found.advisoryId.toUpperCase(),
      alias.toUpperCase(),
    ].entries()) {
      const document = openVex([notAffected(id, { '@id': found.purl })], {
        '@id': `urn:${place}`,
        author: `a${place}`,
      });
      expect((await project.uploadVex(document)).proposals.created, id).toBe(1);
    }
  });
});

describe('a statement is of the versions that it names', () => {
  const outcomeOf = async (document: unknown) => {
    const { receipt, proposals } = await project.uploadVex(document);
    expect(sumOf(receipt)).toBe(receipt.rows);
    return { created: proposals.created, reason: receipt.skipped_rows[0]?.reason };
  };

  test('another version, an unknown build or a part of the package: nothing is proposed, with the reason', async () => {
    const of = (purl: string) => openVex([notAffected(found.cve, { '@id': purl })]);
    const base = found.purl.replace(/@.*/, '');
    expect(await outcomeOf(of(`${base}@1.0.1`))).toEqual({
      created: 0,
      reason: 'is of another version than 1.0.0, which is installed',
    });
    expect(await outcomeOf(of(`${found.purl}?arch=arm64`))).toEqual({
      created: 0,
      reason: 'is only of arch=arm64, which a tech stack does not tell apart',
    });
    expect(await outcomeOf(of(`${found.purl}#lib/a.js`))).toMatchObject({ created: 0 });
    expect(await outcomeOf(of(`${base}-other@1.0.0`))).toEqual({
      created: 0,
      reason: 'is of another package than the alerts on this vulnerability',
    });
    expect(await project.proposals()).toEqual([]);
  });

  test('without a version it is of all; where a package came from makes no difference', async () => {
    const base = found.purl.replace(/@.*/, '');
    expect(await outcomeOf(openVex([notAffected(found.cve, { '@id': base })]))).toEqual({ created: 1 });
    const located = openVex([affected(found.cve, { '@id': `${found.purl}?repository_url=x&package-id=5f39` })]);
    expect(await outcomeOf(located)).toEqual({ created: 1 });
  });

  test('"not affected" needs all installed versions, "affected" one of them', async () => {
    const second = found.purl.replace('@1.0.0', '@1.1.0');
    await project.track(found.purl, second);
    expect(await outcomeOf(openVex([notAffected(found.cve, { '@id': found.purl })]))).toEqual({
      created: 0,
      reason: `does not speak of 1.1.0 with ${found.cve}, which the verdict is on too`,
    });
    expect(await outcomeOf(openVex([affected(found.cve, { '@id': found.purl })], { author: 'B' }))).toEqual({
      created: 1,
    });
    const both = openVex([notAffected(found.cve, { '@id': found.purl }), notAffected(found.cve, { '@id': second })], {
      author: 'C',
    });
    const { receipt } = await project.uploadVex(both);
    expect(receipt).toMatchObject({ rows: 2, taken: 1, merged: 1, skipped: 0 });
  });

  test('"not affected" by one of an advisory’s two CVEs is not enough', async () => {
    const [name, other] = [found.name, `CVE-1990-${Date.now()}`];
    await service.database.system((tx) =>
      tx
        .updateTable('advisories')
        .set({ cves: [found.cve, other] })
        .where('id', '=', found.advisoryId)
        .execute(),
    );
    await project.sync();
    await project.track(found.purl);
    const [verdict] = await project.verdicts();
    const named = verdict?.cve === found.cve ? other : found.cve;
    expect(await outcomeOf(openVex([notAffected(verdict?.cve ?? '', { '@id': found.purl })]))).toEqual({
      created: 0,
      reason: `does not speak of 1.0.0 with ${named}, which the verdict is on too`,
    });
    expect(await outcomeOf(openVex([notAffected(found.advisoryId, { '@id': `pkg:npm/${name}` })]))).toEqual({
      created: 1,
    });
  });

  test('ranges of CycloneDX count with the status that fits', async () => {
    const of = (state: string, versions: unknown) =>
      cycloneDx([{ id: found.cve, analysis: { state }, affects: [{ ref: `pkg:npm/${found.name}`, versions }] }]);
    const range = (status: string, text: string) => [{ range: text, status }];
    expect(await outcomeOf(of('not_affected', range('unaffected', 'vers:npm/>=1.1.0')))).toMatchObject({ created: 0 });
    expect(await outcomeOf(of('not_affected', range('unaffected', 'vers:deb/<2')))).toMatchObject({ created: 0 });
    expect(await outcomeOf(of('not_affected', range('unaffected', 'vers:npm/>=0.9.0|<1.1.0')))).toEqual({ created: 1 });
    expect(await outcomeOf(of('exploitable', range('affected', 'vers:semver/<=1.0.0')))).toEqual({ created: 1 });
  });
});

describe('a statement on a product', () => {
  const inProduct = (product: string) =>
    openVex([notAffected(found.cve, { '@id': product, subcomponents: [{ '@id': found.purl }] })]);

  test('counts where the product is this project: by id, name, repository or the uploader’s word', async () => {
    const { body } = await service.call(project.organisation.readKey, 'GET', project.path);
    await service.call(project.organisation.writeKey, 'PATCH', project.path, {
      repo: 'https://github.com/Acme/Shop.git',
    });
    const names = [
      [`urn:postern:project:${project.projectId}`, ''],
      [`pkg:oci/${at(body, 'name')}@sha256%3Aabc`, ''],
      ['pkg:github/acme/shop@v1', ''],
      ['https://acme.example/products/7', '?product=https://acme.example/products/7'],
    ] as const;
    for (const [place, [name, query]] of names.entries()) {
      const document = { ...inProduct(name), author: `author ${place}` };
      expect((await project.uploadVex(document, query)).proposals.created, name).toBe(1);
    }
  });

  test('of another name proposes nothing, and the receipt says how to name it', async () => {
    const { receipt } = await project.uploadVex(inProduct('pkg:oci/other@1'));
    expect(receipt).toMatchObject({
      rows: 1,
      taken: 0,
      skipped: 1,
      skipped_rows: [
        {
          pointer: '/statements/0/products/0/subcomponents/0',
          reason: 'is of a part of pkg:oci/other@1: if that is this project, upload with product set to this name',
        },
      ],
    });
  });

  test('without components is of all its packages with the vulnerability', async () => {
    const { receipt, proposals } = await project.uploadVex(
      openVex([notAffected(found.cve, { '@id': 'the app' }), notAffected('CVE-1999-0001', { '@id': 'the app' })]),
      '?product=The%20App',
    );
    expect(proposals.created).toBe(1);
    expect(receipt).toMatchObject({ rows: 2, taken: 1, skipped: 1 });
    expect(receipt.skipped_rows[0]).toEqual({
      pointer: '/statements/1/products/0',
      reason: 'CVE-1999-0001 is on none of the project’s alerts',
    });
  });

  test('CycloneDX names it in metadata, CSAF by a relationship', async () => {
    const bom = cycloneDx(
      [{ id: found.cve, analysis: { state: 'exploitable', detail: 'Reached.' }, affects: [{ ref: found.purl }] }],
      { metadata: { component: { name: 'Web Shop', version: '2', 'bom-ref': 'app' } } },
    );
    expect((await project.uploadVex(bom)).proposals.created).toBe(0);
    expect((await project.uploadVex(bom, '?product=web%20shop')).proposals.created).toBe(1);
    const tree = {
      full_product_names: [
        { name: 'Web Shop', product_id: 'APP' },
        { name: 'lib', product_id: 'LIB', product_identification_helper: { purl: found.purl } },
      ],
      relationships: [
        {
          category: 'default_component_of',
          product_reference: 'LIB',
          relates_to_product_reference: 'APP',
          full_product_name: { name: 'lib in Web Shop', product_id: 'APP:LIB' },
        },
      ],
    };
    const vulnerability = {
      cve: found.cve,
      product_status: {
        known_affected: ['APP:LIB'],
        fixed: ['APP'],
        known_not_affected: ['NONE'],
        recommended: ['APP'],
      },
      remediations: [{ category: 'vendor_fix', details: 'Take 3.', product_ids: ['APP:LIB'] }],
    };
    const { receipt } = await project.uploadVex(csaf(tree, [vulnerability]), '?product=web%20shop');
    expect(receipt).toEqual({
      rows: 4,
      taken: 1,
      merged: 0,
      skipped: 1,
      skipped_rows: [
        {
          pointer: '/vulnerabilities/0/product_status/known_not_affected/0',
          reason: 'names a product that product_tree lacks',
        },
      ],
      left_out: [
        { kind: 'fixed', count: 1 },
        { kind: 'other', count: 1 },
      ],
    });
    const [newest] = await project.proposals();
    expect(newest?.statement).toMatchObject({ product: 'lib in Web Shop', detail: 'Take 3.' });
  });
});

describe('what the receipt says of rows without a proposal', () => {
  test('an alert without a verdict, a resolved one, and one that is overridden so already', async () => {
    const reasonOf = async (author: string) => {
      const document = openVex([notAffected(found.cve, { '@id': found.purl })], { author });
      return (await project.uploadVex(document)).receipt.skipped_rows[0]?.reason;
    };
    const [verdict] = await project.verdicts();
    await project.override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'so' });
    expect(await reasonOf('A')).toBe('its verdict is overridden as NotExploitable already');
    await project.sync();
    expect(await reasonOf('B')).toBe('its alert is resolved');
    const fresh = await vexProject(service);
    await fresh.sync(found.purl);
    const { receipt } = await fresh.uploadVex(openVex([notAffected(found.cve, { '@id': found.purl })]));
    expect(receipt.skipped_rows[0]?.reason).toBe(
      'there is no verdict on it: upload a usage report, then this document again',
    );
  });

  test('odd rows are listed, and the good one beside them is taken', async () => {
    const good = notAffected(found.cve, { '@id': found.purl });
    const rows = [7, { ...good, status: 'odd' }, { ...good, vulnerability: {} }, { ...good, products: [] }, good];
    const { receipt } = await project.uploadVex(openVex(rows));
    expect(receipt).toMatchObject({ rows: 5, taken: 1, skipped: 4 });
    expect(receipt.skipped_rows.map(({ pointer }) => pointer)).toEqual([
      '/statements/0',
      '/statements/1/status',
      '/statements/2',
      '/statements/3',
    ]);
  });

  test('of two statements of one OpenVEX document, the later one counts', async () => {
    const good = notAffected(found.cve, { '@id': found.purl });
    const { receipt } = await project.uploadVex(
      openVex([
        { ...good, status: 'under_investigation', timestamp: '2025-03-01T00:00:00Z' },
        { ...good, timestamp: '2025-02-01T00:00:00Z' },
      ]),
    );
    expect(receipt).toMatchObject({ rows: 2, taken: 0, skipped: 1, left_out: [{ count: 1 }] });
    expect(receipt.skipped_rows[0]?.reason).toBe('a later statement of this document replaces it');
  });

  test('a document of another kind is refused with what would be right', async () => {
    for (const document of [{}, { bomFormat: 'CycloneDX', specVersion: '1.3', components: [] }, { statements: [] }]) {
      const { status, body } = await project.send(document);
      expect(status).toBe(422);
      expect(at(body, 'errors.0')).toEqual({
        field: 'document',
        message: 'is not a VEX document: CycloneDX 1.4 to 1.7 with vulnerabilities, OpenVEX, or CSAF 2, each in JSON',
        reason: 'not_vex',
      });
    }
  });

  test('long texts are clipped', async () => {
    const long = 'b'.repeat(50_000);
    const statement = { ...notAffected(found.cve, { '@id': found.purl }), impact_statement: long, justification: long };
    await project.uploadVex(openVex([statement], { author: long, '@id': long }));
    const [proposal] = await project.proposals();
    expect(proposal?.reason.length).toBeLessThanOrEqual(2_000);
    expect(proposal?.statement.detail?.length).toBe(1_000);
    expect(proposal?.document.author?.length).toBe(200);
  });
});
