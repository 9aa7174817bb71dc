import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject as newImages } from '../containers/scanned-project.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { grypeMatch, grypeReport } from './grype/grype-report.js';
import { result, run, sarif } from './sarif/sarif-report.js';
import { trivyReport, vulnerability } from './trivy/trivy-report.js';
import { alert, site, zap, zapXml } from './zap/zap-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const shop = 'https://shop.example.com';

describe('a SARIF result', () => {
  const odd: readonly (readonly [what: string, more: Record<string, unknown>])[] = [
    ['a fingerprint that is an object', { fingerprints: { csvRowSha256: { value: 'a'.repeat(64) } } }],
    ['a fingerprint that is a number', { partialFingerprints: { primaryLocationLineHash: 7 } }],
    ['fingerprints that are a list', { fingerprints: ['a'] }],
    ['a region of words', { locations: [{ physicalLocation: { region: { startLine: 'ten', startColumn: -1 } } }] }],
    ['a region below the first line', { locations: [{ physicalLocation: { region: { startLine: -7 } } }] }],
    ['locations that are none', { locations: 'src/a.ts' }],
    ['no message', { message: undefined }],
    ['a message that is a text', { message: 'this is wrong' }],
    ['no rule', { ruleId: undefined }],
    ['a rule that is a number', { ruleId: 4711 }],
    ['an unknown level', { level: 'terrible' }],
    ['an unknown kind', { kind: 'problem' }],
    ['a NUL that is kept', { message: { text: 'a\0b' } }],
    ['a NUL in a field nobody reads', { workItemUris: ['\0'], properties: { cpe: '17\0' } }],
    ['half a surrogate pair', { message: { text: 'a\ud83d', markdown: '\ude80' } }],
    ['a list of suppressions that is none', { suppressions: {} }],
    ['the key __proto__', JSON.parse('{"properties": {"__proto__": {"admin": true}}, "__proto__": {"level": "none"}}')],
  ];
  test.each(odd)('with %s is taken', async (_, more) => {
    const project = await newScannedProject(service);
    const report = sarif(run([result(1), result(2, { ...more }, 'src/odd.ts')]));
    const { receipt } = await project.uploadSarif(report);
    expect(receipt).toEqual({ rows: 2, taken: 2, merged: 0, skipped: 0, skipped_rows: [], left_out: [] });
    const { items } = await project.codeFindings('&state=all');
    expect(items).toHaveLength(2);
    expect(items.map(({ tier }) => tier)).toEqual(['YELLOW', 'YELLOW']);
    expect(JSON.stringify(items)).not.toMatch(/\\u0000|\\ud8/);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test.each([
    ['Critical', 'RED'],
    ['ERROR', 'RED'],
    ['moderate', 'YELLOW'],
    ['info', 'GREEN'],
  ])('of the level %s, which is another scale’s, is %s', async (level, tier) => {
    const project = await newScannedProject(service);
    await project.uploadSarif(sarif(run([result(1, { level })])));
    expect(await project.codeFindings()).toMatchObject({ items: [{ tier }] });
  });

  test('that passed, did not apply or is gone is left out, with or without a message', async () => {
    const project = await newScannedProject(service);
    const kinds = [{ kind: 'pass', message: undefined }, { kind: 'notApplicable' }, { baselineState: 'absent' }];
    const others = ['informational', 'open', 'review'].map((kind) => result(9, { kind, message: undefined }));
    const { receipt } = await project.uploadSarif(sarif(run([...kinds.map((more) => result(1, more)), ...others])));
    expect(receipt).toMatchObject({ rows: 6, taken: 3, skipped: 0 });
    expect(receipt.left_out).toEqual([
      { kind: 'passed', count: 2 },
      { kind: 'other', count: 1 },
    ]);
  });

  test('that says nothing is skipped with its place; then its tool fixes nothing', async () => {
    const project = await newScannedProject(service);
    const other = (results: Parameters<typeof run>[0]) => run(results, { tool: { driver: { name: 'Other' } } });
    await project.uploadSarif(sarif(run([result(1), result(2, {}, 'src/b.ts')]), other([result(1)])));
    const answer = await project.uploadSarif(sarif(run([result(1), { text: 'x' }]), other([])));
    expect(answer).toMatchObject({ findings: { total: 1, fixed: 1, unchanged: 1 } });
    expect(answer.receipt).toEqual({
      ...{ rows: 2, taken: 1, merged: 0, skipped: 1, left_out: [] },
      skipped_rows: [{ pointer: '/runs/0/results/1', reason: 'message: is required in a result that names no rule' }],
    });
    expect(await project.uploadSarif(sarif(run([result(1)]), other([])))).toMatchObject({ findings: { fixed: 1 } });
  });

  test('keeps its rule beside odd rules, runs and artifacts', async () => {
    const project = await newScannedProject(service);
    const rules = ['none', { id: 7, helpUri: {}, defaultConfiguration: { level: 'odd' } }, { id: 'R1', name: 'Third' }];
    const location = { physicalLocation: { artifactLocation: { index: 1 } } };
    const results = [result(1, { ruleId: undefined, ruleIndex: 2, locations: [location] })];
    const more = { artifacts: [4, { location: { uri: 'src/x.ts' } }], invocations: ['odd'], originalUriBaseIds: 'odd' };
    const odd = { results: [result(1), result(2)] };
    const { receipt } = await project.uploadSarif({
      version: '2.1.0',
      runs: [odd, 'odd', { ...run(results, more), tool: { driver: { name: 'Checker', rules }, extensions: 'odd' } }],
    });
    expect(receipt).toMatchObject({ rows: 4, taken: 1, skipped: 3 });
    expect(receipt.skipped_rows.map(({ pointer }) => pointer)).toEqual(['/runs/0', '/runs/1']);
    expect(await project.codeFindings()).toMatchObject({
      items: [{ rule_id: 'R1', title: 'Third', file: 'src/x.ts' }],
    });
  });
});

describe('a ZAP report', () => {
  test('with an odd site is taken without it', async () => {
    const project = await newScannedProject(service);
    const report = zap(
      site('//shop.example.com', alert('1')),
      site('//x'),
      site(shop, alert('2')),
      { '@name': shop },
      7,
    );
    expect((await project.uploadZap(report)).receipt).toEqual({
      ...{ rows: 5, taken: 1, merged: 0, skipped: 4, left_out: [] },
      skipped_rows: [
        { pointer: '/site/0', reason: '@name: must be the address of a site' },
        { pointer: '/site/1', reason: '@name: must be the address of a site' },
        { pointer: '/site/3', reason: 'alerts: is required (array)' },
        { pointer: '/site/4', reason: 'expected object, received number' },
      ],
    });
    expect(await project.appJobs()).toMatchObject({ total: 1, items: [{ target_url: shop }] });
  });

  test('of which only a site without alerts can be read is taken', async () => {
    const project = await newScannedProject(service);
    expect(await project.uploadZap(zap(site('//x', alert('1')), site(shop)))).toMatchObject({
      receipt: { rows: 1, skipped: 1 },
    });
  });

  test('has numbers as text and text as numbers', async () => {
    const project = await newScannedProject(service);
    const instances = [{ method: 'GET' }, { uri: 7 }, 'odd', null];
    const odd = alert('1', '3', { pluginid: 40012, alertRef: null, riskcode: 3, count: 9, cweid: 79, instances });
    expect((await project.uploadZap(zap(site(shop, odd)))).receipt).toMatchObject({ taken: 1, skipped: 0 });
    expect(await project.appFindings()).toMatchObject({
      items: [{ rule_id: '40012', tier: 'RED', cwes: ['CWE-79'], instance_count: 9, instances: [{ url: shop }, {}] }],
    });
  });

  test('with an alert that cannot be read fixes nothing on its site', async () => {
    const project = await newScannedProject(service);
    const blog = 'https://blog.example.com';
    await project.uploadZap(zap(site(shop, alert('1'), alert('2')), site(blog, alert('1'))));
    const answer = await project.uploadZap(zap(site(shop, alert('1'), alert('2', 'High')), site(blog)));
    expect(answer).toMatchObject({
      findings: { total: 1, fixed: 1, unchanged: 1 },
      receipt: { rows: 2, skipped_rows: [{ pointer: '/site/0/alerts/1', reason: 'riskcode: must be a number' }] },
    });
    expect(await project.appFindings()).toMatchObject({ total: 2 });
  });

  test('in XML may have characters that XML has not', async () => {
    const project = await newScannedProject(service);
    const item = (evidence: string) => `<site name="${shop}"><alerts><alertitem><pluginid>1</pluginid><name>N</name>
      <riskcode>1</riskcode><confidence>2</confidence><desc>bad&#x1F;\u0001</desc><instances><instance><uri>${shop}/</uri>
      <evidence>${evidence}</evidence></instance></instances></alertitem></alerts></site>`;
    // A reference on each side of the 64 kB that the parser gets at once.
    for (const length of Array.from({ length: 24 }, (_, n) => 65_536 - 450 + n * 8)) {
      const uploaded = await project.uploadZap(zapXml(item(`${'x'.repeat(length)}&#0;\0&#x8;`)));
      expect(uploaded.receipt).toMatchObject({ rows: 1, taken: 1 });
    }
    expect(await project.appFindings()).toMatchObject({ items: [{ description: 'bad\ufffd\ufffd' }] });
  });

  test('has description, evidence, attack and references, within bounds', async () => {
    const project = await newScannedProject(service);
    const long = 'long '.repeat(10_000);
    const addresses = Array.from({ length: 9 }, (_, n) => `<p>https://owasp.org/${n}</p>`).join('');
    const instances = [
      { uri: `${shop}/a`, method: 'GET', param: 'q', attack: '<script>', evidence: long },
      { uri: `${shop}/b`, method: 'GET', param: '', attack: '', evidence: '' },
    ];
    const reference = `<p>javascript:alert(1)</p>${addresses}`;
    await project.uploadZap(zap(site(shop, alert('1', '3', { desc: `<p>${long}</p>`, reference, instances }))));
    const [found] = (await project.appFindings()).items;
    expect(found).toMatchObject({
      description: expect.stringMatching(/^long .*…$/),
      references: ['0', '1', '2', '3', '4'].map((n) => `https://owasp.org/${n}`),
      instances: [{ attack: '<script>', evidence: expect.stringMatching(/^long .*…$/) }, { url: `${shop}/b` }],
    });
    expect(Object.keys(found?.instances[1] ?? {})).toEqual(['url', 'method', 'parameter']);
    expect(JSON.stringify(found).length).toBeLessThan(2_500);
  });
});

describe('a report of an image', () => {
  const good = [vulnerability('CVE-1990-1001', 'zlib1g'), vulnerability('CVE-1990-1002', 'libc6')] as const;

  test('of Trivy is taken without its odd rows, and then fixes nothing', async () => {
    const { upload, items } = await newImages(service);
    await upload(trivyReport('acme/shop:1', good));
    const odd = [
      vulnerability('', 'a'),
      { PkgName: 'a' },
      { VulnerabilityID: 'CVE-1990-1003' },
      null,
      vulnerability('CVE-1990-1004', 'lists', {
        ...{ InstalledVersion: 2, FixedVersion: null, CVSS: { nvd: 'odd', ghsa: { V3Vector: 7 } }, Layer: 'odd' },
        ...{ PkgIdentifier: { PURL: null }, References: ['\0'], Title: 'NUL \0' },
      }),
    ];
    const report = trivyReport('acme/shop:1', [good[0]]);
    const more = [
      { Target: 'rows', Class: 'lang-pkgs', Vulnerabilities: odd },
      { Target: 'null', Class: 'lang-pkgs', Vulnerabilities: null, Secrets: null, Misconfigurations: null },
      { Target: 'odd', Class: 'lang-pkgs', Vulnerabilities: { a: 1 } },
      'odd',
      {
        Target: 'kinds',
        Class: 'config',
        Misconfigurations: [{ Status: 'FAIL' }, { Status: 'PASS' }, 7],
        Secrets: [{}],
        Licenses: [{}, {}],
        ExperimentalModifiedFindings: [
          { Type: 'misconfiguration', Finding: {} },
          { Type: 'vulnerability', Finding: vulnerability('CVE-1990-1005', 'ignored') },
          { Type: 'vulnerability', Finding: {} },
        ],
      },
    ];
    const { status, body } = await upload({ ...report, Results: [...report.Results, ...more] });
    expect({ status, findings: at(body, 'findings') }).toMatchObject({
      status: 200,
      findings: { total: 3, new: 1, fixed: 0, unchanged: 1, suppressed: 1 },
    });
    expect(at(body, 'receipt')).toEqual({
      ...{ rows: 17, taken: 3, merged: 0, skipped: 7 },
      skipped_rows: [
        { pointer: '/Results/5', reason: 'expected object, received string' },
        { pointer: '/Results/2/Vulnerabilities/0', reason: 'VulnerabilityID: must not be blank' },
        { pointer: '/Results/2/Vulnerabilities/1', reason: 'VulnerabilityID: is required (string)' },
        { pointer: '/Results/2/Vulnerabilities/2', reason: 'PkgName: is required (string)' },
        { pointer: '/Results/2/Vulnerabilities/3', reason: 'expected object, received null' },
        { pointer: '/Results/4/Vulnerabilities', reason: 'must be a list' },
        {
          pointer: '/Results/6/ExperimentalModifiedFindings/2',
          reason: 'Finding.VulnerabilityID: is required (string)',
        },
      ],
      left_out: [
        { kind: 'misconfigurations', count: 3 },
        { kind: 'passed', count: 1 },
        { kind: 'secrets', count: 1 },
        { kind: 'licences', count: 2 },
      ],
    });
    expect(await items('/findings')).toHaveLength(3);
    expect(await upload(trivyReport('acme/shop:1', [good[0]]))).toMatchObject({ body: { findings: { fixed: 3 } } });
  });

  test('of Grype is taken without its odd rows, and then fixes nothing', async () => {
    const { upload, items } = await newImages(service);
    const matches = [grypeMatch('CVE-1990-1001', { name: 'a' }), grypeMatch('CVE-1990-1002', { name: 'b' })] as const;
    await upload(grypeReport('acme/shop:1', matches));
    const artifact = { name: 'c', cpes: ['cpe:2.3:a:oracle:openjdk:17.0.10+7\0-J-ms8m'], locations: null, purl: 7 };
    const odd = [
      grypeMatch('CVE-1990-1003', artifact, { fix: { versions: null }, cvss: [{ vector: 7 }, 'odd'], severity: null }),
      grypeMatch('CVE-1990-1004', { name: null }),
      { vulnerability: { id: 'CVE-1990-1005' } },
      { artifact: { name: 'd' } },
    ];
    const config = Buffer.from('{"config": {"Labels": {"org.opencontainers.image.base.name": "a\\u0000"}}}');
    const report = grypeReport('acme/shop:1', [matches[0], ...odd], { config: config.toString('base64') });
    const { status, body } = await upload({ ...report, distro: 'odd', ignoredMatches: null });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        findings: { total: 2, fixed: 0, new: 1 },
        receipt: {
          ...{ rows: 5, taken: 2, skipped: 3 },
          skipped_rows: [
            { pointer: '/matches/2', reason: 'artifact.name: expected string, received null' },
            { pointer: '/matches/3', reason: 'artifact: is required (object)' },
            { pointer: '/matches/4', reason: 'vulnerability: is required (object)' },
          ],
        },
      },
    });
    expect(await items('/findings')).toHaveLength(3);
  });

  test('that was searched for other things than packages fixes nothing', async () => {
    const { upload } = await newImages(service);
    await upload(trivyReport('acme/shop:1', good));
    const secrets = { Target: '/app/.env', Class: 'secret', Secrets: [{}] };
    expect(await upload({ ...trivyReport('acme/shop:1', []), Results: [secrets] })).toMatchObject({
      body: { findings: { fixed: 0 }, receipt: { rows: 1, left_out: [{ kind: 'secrets', count: 1 }] } },
    });
  });

  test('that is of no image says what it is of', async () => {
    const { upload } = await newImages(service);
    const trivy = trivyReport('acme/shop:1', []);
    for (const [report, artifact] of [
      [{ ...trivy, ArtifactType: 'filesystem' }, 'a file system'],
      [{ ...trivy, ArtifactType: 'repository' }, 'a repository'],
      [{ ...trivy, ArtifactType: 'cyclonedx' }, 'a CycloneDX SBOM'],
      [{ ...grypeReport('x', []), source: { type: 'directory', target: '.' } }, 'a directory'],
      [{ ...grypeReport('x', []), source: { type: 'sbom-file', target: 'a.json' } }, 'an SBOM'],
    ] as const) {
      expect(await upload(report)).toMatchObject({
        status: 422,
        body: {
          detail: `the report is of ${artifact}, not of an image: give image where it stands for one, else sync lock files or an SBOM`,
          errors: [{ field: 'image', reason: 'no_image_ref' }],
        },
      });
    }
    expect(await upload({ bomFormat: 'CycloneDX' })).toMatchObject({
      body: { detail: expect.stringContaining('it is an SBOM') },
    });
  });
});
