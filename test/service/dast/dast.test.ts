import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { alert, site, zap, zapXml } from '../scanners/zap/zap-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const shop = 'https://shop.example.com';

describe('an uploaded ZAP report', () => {
  test('becomes findings, worst first, and a job', async () => {
    const project = await newScannedProject(service);
    const instances = Array.from({ length: 25 }, (_, n) => ({ uri: `${shop}/${n}`, method: 'POST', param: '' }));
    const report = zap(
      site(shop, alert('10', '0'), alert('40', '3', { instances, count: '321', alertRef: '40-2' }), alert('20', '2')),
    );
    const uploaded = await project.uploadZap(report, '?mode=full');
    expect(uploaded).toMatchObject({ findings: { total: 3, new: 3 }, tiers: { red: 1, yellow: 1, green: 1 } });
    const { items } = await project.appFindings();
    expect(items).toMatchObject([
      {
        tool: 'ZAP',
        rule_id: '40-2',
        title: 'alert 40',
        severity: 'high',
        confidence: 'Medium',
        tier: 'RED',
        state: 'open',
        target_url: shop,
        instance_count: 321,
        cwes: ['CWE-79'],
        solution: 'Mend it.\nUse <b> & more.',
      },
      { rule_id: '20', severity: 'medium', instances: [{ url: `${shop}/a`, method: 'GET', parameter: 'q' }] },
      { rule_id: '10', severity: 'info' },
    ]);
    expect(items[0]?.instances).toHaveLength(20);
    expect(items[0]?.instances[0]).toEqual({ url: `${shop}/0`, method: 'POST', parameter: null });
    expect(await project.appJobs()).toMatchObject({
      items: [{ id: uploaded.scan_job_id, status: 'done', mode: 'full', target_url: shop, tool: 'ZAP' }],
    });
    expect(await project.audit('dast.upload_report')).toMatchObject([{ after: { target_urls: [shop], new: 3 } }]);
  });

  test('is a scan of each of its sites, under one name each', async () => {
    const project = await newScannedProject(service);
    const report = zap(
      site('HTTPS://Shop.Example.com:443', alert('1')),
      site('http://shop.example.com:8080', alert('1'), alert('2')),
      site(shop, alert('3')),
    );
    expect(await project.uploadZap(report)).toMatchObject({ findings: { total: 4, new: 4 }, tiers: { yellow: 4 } });
    expect(await project.appJobs()).toMatchObject({ total: 2 });
    expect(await project.appFindings(`&target_url=${shop}/any/path`)).toMatchObject({ total: 2 });
    expect(await project.appFindings('&target_url=http://shop.example.com:8080')).toMatchObject({ total: 2 });
    expect(await project.uploadZap(zap(site(shop)))).toMatchObject({ findings: { total: 0, fixed: 2 } });
    expect(await project.appFindings()).toMatchObject({ total: 2 });
  });

  test('fixes only what a scan of its mode has told before', async () => {
    const project = await newScannedProject(service);
    const [passive, active] = [alert('10'), alert('40', '3')];
    await project.uploadZap(zap(site(shop, passive, active)), '?mode=full');
    const baseline = await project.uploadZap(zap(site(shop, passive)));
    expect(baseline).toMatchObject({ findings: { unchanged: 1, fixed: 0 }, tiers: { red: 1, yellow: 1 } });
    expect(await project.uploadZap(zap(site(shop)))).toMatchObject({
      findings: { fixed: 1 },
      tiers: { red: 1, yellow: 0 },
    });
    expect(await project.uploadZap(zap(site(shop)), '?mode=full')).toMatchObject({ findings: { fixed: 1 } });
    expect(await project.appFindings()).toMatchObject({ total: 0 });
  });

  test('tells like alerts apart by reference, or by name, and counts each', async () => {
    const project = await newScannedProject(service);
    const unnamed = (name: string, confidence = '2') => alert('9', '2', { alertRef: undefined, name, confidence });
    const alerts = [alert('1'), alert('1', '2', { alertRef: '1-2' }), unnamed('a'), unnamed('b'), unnamed('b', '1')];
    expect(await project.uploadZap(zap(site(shop, ...alerts)))).toMatchObject({ findings: { new: 5 } });
    const fewer = [...alerts.slice(0, 2).reverse(), unnamed('b')];
    expect(await project.uploadZap(zap(site(shop, ...fewer)))).toMatchObject({ findings: { unchanged: 3, fixed: 2 } });
    const { items } = await project.appFindings('&state=fixed');
    expect(items.map(({ title }) => title).sort()).toEqual(['a', 'b']);
  });

  test.each([
    ['3', '4', 'high', 'RED', 'open'],
    ['3', '2', 'high', 'RED', 'open'],
    ['3', '1', 'high', 'YELLOW', 'open'],
    ['3', '0', 'high', 'YELLOW', 'suppressed'],
    ['2', '1', 'medium', 'YELLOW', 'open'],
    ['1', '3', 'low', 'GREEN', 'open'],
    ['0', '3', 'info', 'GREEN', 'open'],
  ])('with risk %s and confidence %s: %s, %s, %s', async (riskcode, confidence, severity, tier, state) => {
    const project = await newScannedProject(service);
    await project.uploadZap(zap(site(shop, alert('1', riskcode, { confidence }))));
    expect(await project.appFindings('&state=all')).toMatchObject({ items: [{ severity, tier, state }] });
  });

  test('may be compressed', async () => {
    const project = await newScannedProject(service);
    const body = gzipSync(zapXml(`<site name="${shop}"><alerts></alerts></site>`));
    const headers = { 'content-type': 'text/xml', 'content-encoding': 'gzip' };
    expect(await project.call('POST', '/dast/reports', body, headers)).toMatchObject({ status: 200 });
  });
});

describe('a ZAP report in XML', () => {
  const item = `<alertitem><pluginid>40012</pluginid><alertRef>40012-1</alertRef><alert>XSS</alert><name>XSS</name>
    <riskcode>3</riskcode><confidence>3</confidence><desc>&lt;p&gt;bad&lt;/p&gt;</desc>
    <instances><instance><uri>${shop}/?a=1&amp;b=2</uri><method>GET</method><param>a</param><requestbody/></instance></instances>
    <count>1</count><solution>&lt;p&gt;Escape &amp;lt;script&amp;gt;&#x2026;&lt;/p&gt;</solution><cweid>-1</cweid></alertitem>`;
  const sites = `<site name="${shop}" host="shop.example.com" port="443" ssl="true"><alerts>${item}</alerts></site>`;

  test.each([
    ['with a declaration', zapXml(sites)],
    ['with a comment before it', zapXml(sites, '<!-- a\nlicence -->\n\n<?xml version="1.0"?>')],
    ['with a byte order mark', zapXml(sites, '\ufeff<?xml version="1.0" encoding="UTF-8"?>')],
    ['without a declaration', zapXml(sites, '')],
  ])('%s', async (_, report) => {
    const project = await newScannedProject(service);
    const uploaded = await project.call('POST', '/dast/reports', report, { 'content-type': 'application/xml' });
    expect(uploaded).toMatchObject({ status: 200, body: { findings: { new: 1 } } });
    expect(await project.appFindings()).toMatchObject({
      items: [
        {
          rule_id: '40012-1',
          title: 'XSS',
          tier: 'RED',
          confidence: 'High',
          instances: [{ url: `${shop}/?a=1&b=2`, method: 'GET', parameter: 'a' }],
          solution: 'Escape <script>…',
          cwes: [],
        },
      ],
    });
  });

  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>`;
  const refused: readonly (readonly [what: string, report: string, message: RegExp])[] = [
    ['entities of its own', zapXml(sites, bomb), /no document type and no entities/],
    ['a file of the machine', zapXml(sites, '<!DOCTYPE x SYSTEM "file:///etc/passwd">'), /no document type/],
    ['an unknown entity', zapXml('<site name="&xxe;"/>'), /well-formed XML: see line 1/],
    ['deep nesting', zapXml('<a>'.repeat(100) + '</a>'.repeat(100)), /not nest deeper than 32/],
    ['an open element', zapXml('<site>'), /well-formed XML: see line 1, column \d+/],
    ['another root', '<html/>', /must begin with OWASPZAPReport/],
    ['no sites', zapXml(''), /must name a site/],
    ['a name of a character that is none', zapXml('<site name="&#0;"/>'), /must be the address of a site/],
  ];
  test.each(refused)('%s is refused', async (_, report, message) => {
    const project = await newScannedProject(service);
    expect(await project.tryZap(report)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(message), errors: [{ reason: 'not_zap' }] },
    });
    expect(await project.appJobs()).toMatchObject({ total: 0 });
  });

  test('keeps counting lines after a preface', async () => {
    const project = await newScannedProject(service);
    const answer = await project.tryZap(zapXml('\n<site>', '<!-- a\nb -->\n<?xml version="1.0"?>'));
    expect(JSON.stringify(answer.body)).toContain('see line 4');
  });

  test('that is no UTF-8, or of another media type, is refused', async () => {
    const project = await newScannedProject(service);
    const latin = Buffer.from(zapXml('é'), 'latin1');
    const post = (type: string) => project.call('POST', '/dast/reports', latin, { 'content-type': type });
    expect(await post('application/xml')).toMatchObject({ status: 400, body: { detail: 'the body is not UTF-8' } });
    expect(await post('text/html')).toMatchObject({
      status: 415,
      body: { detail: expect.stringContaining('application/json or application/xml or text/xml') },
    });
  });

  test('is no larger than 64 MB, compressed or not', async () => {
    const project = await newScannedProject(service);
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
    const headers = { 'content-type': 'application/xml', 'content-encoding': 'gzip' };
    expect(await project.call('POST', '/dast/reports', bomb, headers)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'report', message: 'must be at most 64 MB of JSON or text' }] },
    });
  });
});

describe('a report in JSON that cannot be used', () => {
  const cases: readonly (readonly [what: string, report: unknown, field: string, message: RegExp])[] = [
    ['no sites', zap(), 'report.site', /must name a site/],
    ['SARIF', { version: '2.1.0', runs: [] }, 'report.@version', /is required/],
    ['no alerts', zap({ '@name': shop }), 'report.site.0.alerts', /is required \(array\)/],
    ['a risk that is none', zap(site(shop, alert('1', '7'))), 'report.site.0.alerts.0.riskcode', /at most 3/],
    ['words for a risk', zap(site(shop, alert('1', 'High'))), 'report.site.0.alerts.0.riskcode', /./],
    ['a site without address', zap(site('shop')), 'report.site.0.@name', /address of a site/],
    ['plain text', '"no report"', 'report', /well-formed XML/],
  ];
  test.each(cases)('%s: 422 with the place', async (_, report, field, message) => {
    const project = await newScannedProject(service);
    expect(await project.tryZap(report)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(message), errors: [{ field, reason: 'not_zap' }] },
    });
    expect(await project.appJobs()).toMatchObject({ total: 0 });
  });
});

test('findings in the running application are filtered', async () => {
  const project = await newScannedProject(service);
  await project.uploadZap(zap(site(shop, alert('1', '3'), alert('2', '1'))));
  await project.uploadZap(zap(site(shop, alert('1', '3'))));
  const ids = async (query: string) => (await project.appFindings(query)).items.map(({ rule_id }) => rule_id);
  expect(await ids('')).toEqual(['1']);
  expect(await ids('&state=fixed')).toEqual(['2']);
  expect(await ids('&state=all')).toEqual(['1', '2']);
  expect(await ids('&state=all&severity=low')).toEqual(['2']);
  for (const url of ['https://other.example.com', 'nonsense']) {
    expect(await project.call('GET', `/dast/findings?target_url=${url}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'target_url', reason: 'unknown_source', known: [new URL(shop).origin] }] },
    });
  }
});
