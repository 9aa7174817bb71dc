import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toolInput } from '../../src/gateway/mcp/tool-form.js';
import { caseOf } from '../conformance/cases.js';
import { makeWorld, storeIntelligence, targetUrl, type World } from '../conformance/world.js';
import { advisory, storeAdvisory } from '../service/alerts/advisories.js';
import { dependency, report } from '../service/reachability/report.js';
import { grypeMatch, grypeReport } from '../service/scanners/grype/grype-report.js';
import { result, run, sarif } from '../service/scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../service/scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../service/scanners/zap/zap-report.js';
import { callTool } from '../support/gateway.js';
import { mark, payloads, textsIn, unmarkedIn } from '../support/planted.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { everyProcedure } from '../support/upstream.js';

// Every payload goes in by every way that outsiders have, in each field that takes it. Then every tool that reads is asked.

let postern: TestPostern;
let world: World;
/** Counts for each way how many of its uploads were taken, and how many refused. */
const outcomes = new Map<string, { taken: number; refused: number }>();
beforeAll(async () => {
  postern = await startPostern();
  const intelligence = await storeIntelligence(postern);
  world = await makeWorld(postern, intelligence);
  for (const plant of Object.values(ways)) await plant();
});
afterAll(() => postern.close());

async function send(way: string, method: string, path: string, body: unknown) {
  const { organisation, projectId } = world;
  const credential = way === 'group' ? organisation.admin.session : organisation.writeKey;
  const { status } = await postern.call(credential, method, path.replace('{project}', projectId), body);
  const known = outcomes.get(way) ?? { taken: 0, refused: 0 };
  const isTaken = status >= 200 && status < 300;
  expect(isTaken || (status >= 400 && status < 500), `${way}: ${status}`).toBe(true);
  outcomes.set(way, { taken: known.taken + Number(isTaken), refused: known.refused + Number(!isTaken) });
}

const dependencyFields = { PkgPath: 'a.js', Title: 'a flaw' };
const cveOf = (nth: number) => `CVE-1991-${10_000 + nth}`;

const ways = {
  project: async () => {
    for (const text of payloads) {
      await send('project', 'PATCH', '/api/projects/{project}', { description: text });
      await send('project', 'POST', '/api/projects', { name: text });
      await send('project', 'PATCH', '/api/projects/{project}', { repo: `https://example.com/${text}` });
    }
  },
  sarif: async () => {
    const results = payloads.map((text, nth) =>
      result(nth + 1, { ruleId: `${nth} ${text}`, level: 'error', message: { text } }, text),
    );
    const rules = payloads.map((text, nth) => ({
      id: `${nth} ${text}`,
      shortDescription: { text },
      helpUri: text,
      properties: { tags: [text, `external/cwe/${text}`], 'security-severity': text },
    }));
    const reported = sarif(run(results, {}, rules));
    await send('sarif', 'POST', '/api/projects/{project}/sast/reports?source_repo=shop', reported);
    for (const text of payloads) {
      const query = new URLSearchParams({ source_repo: text });
      const named = { ...run([result(1)]), tool: { driver: { name: text, rules: [] } } };
      await send('sarif', 'POST', `/api/projects/{project}/sast/reports?${query}`, sarif(named));
    }
  },
  zap: async () => {
    const alerts = payloads.map((text, nth) =>
      alert(`9${nth}`, '3', {
        ...{ alert: text, name: text, desc: text, solution: text, reference: text },
        instances: [{ uri: `${targetUrl}/${text}`, method: text, param: text, attack: text, evidence: text }],
      }),
    );
    await send('zap', 'POST', '/api/projects/{project}/dast/reports', zap(site(targetUrl, ...alerts)));
    for (const text of payloads) {
      await send('zap', 'POST', '/api/projects/{project}/dast/reports', zap(site(text, alert('40012'))));
      const odd = alert('40012', '3', { confidence: text, cweid: text, alertRef: text });
      await send('zap', 'POST', '/api/projects/{project}/dast/reports', zap(site(targetUrl, odd)));
      const target = { url: `https://example.com/${text}`, name: text, environment: text };
      await send('zap', 'POST', '/api/projects/{project}/dast/targets', target);
    }
  },
  trivy: async () => {
    const each = (make: (text: string, nth: number) => object) => payloads.map((text, nth) => ({ ...make(text, nth) }));
    const reported = trivyReport('acme/shop:1', [
      ...each((text, nth) =>
        vulnerability(cveOf(nth), 'openssl', { FixedVersion: text, Severity: 'CRITICAL', ...dependencyFields }),
      ),
      ...each((text, nth) => vulnerability(cveOf(100 + nth), 'openssl', { InstalledVersion: text, Title: text })),
      ...each((text, nth) => vulnerability(cveOf(200 + nth), text, { PkgPath: text, FixedVersion: '2.0.0' })),
      ...each((text) => vulnerability(text, 'openssl', { PrimaryURL: text, Title: text })),
    ]);
    await send('trivy', 'POST', '/api/projects/{project}/containers/reports', reported);
    for (const text of payloads) {
      const named = trivyReport(text, [vulnerability(cveOf(0), 'openssl')]);
      await send('trivy', 'POST', '/api/projects/{project}/containers/reports', named);
    }
  },
  grype: async () => {
    const matches = payloads.flatMap((text, nth) => [
      grypeMatch(cveOf(300 + nth), { name: text, version: text, type: text }, { description: text }),
      grypeMatch(
        cveOf(400 + nth),
        { name: 'zlib' },
        { fix: { versions: [text], state: 'fixed' }, severity: 'Critical' },
      ),
    ]);
    const target = { labels: { 'org.opencontainers.image.base.name': payloads[0] } };
    await send(
      'grype',
      'POST',
      '/api/projects/{project}/containers/reports',
      grypeReport('acme/shop:1', matches, target),
    );
  },
  sync: async () => {
    for (const text of payloads) {
      const path = '/api/projects/{project}/tech-stack/sync';
      const { packageName: name } = world.intelligence;
      const packages = (fields: object) => [{ ecosystem: 'npm', name, version: '1.0.0', ...fields }];
      await send('sync', 'POST', path, { source: text, packages: packages({ deprecated: text }) });
      await send('sync', 'POST', path, { source: 'names', packages: packages({ name: text, deprecated: text }) });
      await send('sync', 'POST', path, { source: 'versions', packages: packages({ version: text, deprecated: text }) });
      const asked_by = [{ file: text, range: text, override: text }];
      await send('sync', 'POST', path, {
        source: 'yarn.lock',
        tool: text,
        packages: packages({ direct: true, asked_by }),
      });
    }
  },
  sbom: async () => {
    const components = payloads.flatMap((text) => [
      { type: 'library', name: text, version: text, licenses: [{ license: { name: text } }], description: text },
      { type: 'library', name: 'a', purl: `pkg:npm/${encodeURIComponent(text)}@1.0.0` },
      { type: 'library', name: 'b', purl: `pkg:npm/b@${encodeURIComponent(text)}`, licenses: [{ expression: text }] },
    ]);
    const vulnerabilities = payloads.map((text) => ({ id: text, description: text, affects: [{ ref: text }] }));
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components, vulnerabilities };
    await send('sbom', 'POST', '/api/projects/{project}/tech-stack/sbom', document);
  },
  vex: async () => {
    for (const text of payloads) {
      const statement = { vulnerability: { name: text }, products: [{ '@id': text }], status: 'not_affected' };
      const named = { '@id': text, author: text, timestamp: '2026-01-01T00:00:00Z', version: 1 };
      const statements = [{ ...statement, justification: 'component_not_present', impact_statement: text }];
      const document = { '@context': 'https://openvex.dev/ns/v0.2.0', ...named, statements };
      await send('vex', 'POST', '/api/projects/{project}/vex', document);
    }
  },
  usage: async () => {
    const { packageName } = world.intelligence;
    const used = dependency(`pkg:npm/${packageName}@1.0.0`, 'reached');
    for (const text of payloads) {
      const sites = used.sites.map((each) => ({ ...each, file: text, symbols: [text] }));
      const reported = report([{ ...used, sites, symbols: [text] }]);
      await send('usage', 'POST', '/api/projects/{project}/reachability/usage-reports', reported);
    }
  },
  webhook: async () => {
    for (const text of payloads) {
      const [kind, url] = ['generic', 'https://webhooks.example.com/x'];
      await send('webhook', 'POST', '/api/projects/{project}/webhooks', { kind, name: text, url });
      await send('webhook', 'POST', '/api/projects/{project}/webhooks', { kind, name: 'a', url: `${url}/${text}` });
    }
  },
  dockerfile: async () => {
    const path = `/api/projects/{project}/containers/images/${world.imageId}/dockerfile`;
    const lines = payloads.map((text) => `# ${text.replaceAll('\n', ' ')}`);
    for (const text of payloads)
      await send('dockerfile', 'PUT', path, { path: text, text: [...lines, `FROM node:1 AS ${text}`].join('\n') });
    await send('dockerfile', 'PUT', path, { path: mark, text: `FROM --platform=${mark} acme/node:1 AS ${mark}` });
  },
  group: async () => {
    for (const name of payloads) await send('group', 'POST', '/api/groups', { name });
  },
  note: async () => {
    for (const note of payloads)
      await send('note', 'POST', `/api/projects/{project}/alerts/${world.alertId}/acknowledge`, { note });
  },
  advisory: async () => {
    const { packageName } = world.intelligence;
    for (const [nth, text] of payloads.entries()) {
      const stored = advisory(`GHSA-${9_000 + nth}-${randomUUID()}`, '0', text, { summary: text });
      await storeAdvisory(postern.database, packageName, stored);
    }
  },
} as const satisfies Readonly<Record<string, () => Promise<void>>>;

const answered = z.looseObject({
  untrusted: z.array(z.string()).default([]),
  next_cursor: z.string().nullish(),
});

/** No text may have these, whoever wrote it: pictures, comments, and characters that do not show. */
const hidden =
  /<img\b[^>]*>|!\[[^\]]*\]\([^)]*\)|<!--.*?-->|[\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]|[^\P{Cc}\n\t]/su;

/** Tools whose answers have nothing that was planted. */
const withoutOutsiders = [
  ...[
    'get_org',
    'list_members',
    'list_invites',
    'list_dast_scan_jobs',
    'list_dast_server_scan_jobs',
    'get_feeds',
    'get_posture_trend',
  ],
];

/** The answers of a tool, page by page. */
async function* answersOf(tool: string, input: object) {
  const headers = { authorization: `Bearer ${world.organisation.readKey}`, 'x-mcp-toolsets': 'all' };
  for (let next = input; ; ) {
    const { isError, text, structuredContent } = await callTool(postern, tool, next, { headers });
    expect(isError, text).toBe(false);
    const answer = answered.parse(structuredContent);
    yield { text, answer };
    const { next_cursor: cursor } = answer;
    if (typeof cursor !== 'string') return;
    next = { ...input, cursor };
  }
}

/** Reading tools that the world has a case for, as an agent asks, and asking for all. */
const reads = everyProcedure.flatMap(([path, procedure]) =>
  procedure.tool === undefined || procedure.access !== 'read' ? [] : [[procedure.tool, path, procedure] as const],
);

describe('what outsiders have written', () => {
  test('is in by all ways, or refused', () => {
    expect([...outcomes.keys(), 'advisory'].toSorted()).toEqual(Object.keys(ways).toSorted());
    for (const [way, { taken }] of outcomes) expect(taken, way).toBeGreaterThan(0);
  });

  test.each(reads)('is named or refused in each place of the answers of %s', async (tool, path, procedure) => {
    const { shape } = procedure.input;
    const usual = { ...caseOf(path).input(world), ...(tool === 'search' && { q: mark }) };
    const { project_id } = z.looseObject({ project_id: z.string().optional() }).parse(usual);
    // All rows, where the usual input would leave some out.
    const unfiltered = procedure.input.safeParse({ project_id }).success ? { project_id } : usual;
    const whole = {
      ...('page_size' in shape && { page_size: 100 }),
      ...('view' in toolInput(procedure).shape && { view: 'full' }),
      ...('include_document' in shape && { include_document: true }),
    };
    let planted = 0;
    for (const input of [usual, unfiltered, { ...unfiltered, ...whole }]) {
      for await (const { text, answer } of answersOf(tool, input)) {
        const { untrusted, ...rest } = answer;
        expect(unmarkedIn(rest, untrusted), tool).toEqual([]);
        expect(textsIn(answer).filter((each) => hidden.test(each))).toEqual([]);
        planted += text.split(mark).length - 1;
      }
    }
    expect(planted > 0, tool).toBe(!withoutOutsiders.includes(tool));
  });

  test('becomes no fix', async () => {
    for await (const { answer } of answersOf('get_top_risks', { project_id: world.projectId })) {
      const { risks } = z.looseObject({ risks: z.array(z.looseObject({ fix: z.unknown() })) }).parse(answer);
      expect(risks.length).toBeGreaterThan(0);
      expect(JSON.stringify(risks.map(({ fix }) => fix))).not.toContain(mark);
    }
  });
});
