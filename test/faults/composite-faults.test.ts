import { afterEach, describe, expect, test } from 'vitest';
import { createPosternClient } from '../../src/client/index.js';
import { posture } from '../../src/procedures/posture.js';
import { type Domain, domains } from '../../src/procedures/risk.js';
import { answerOf, type TransportAnswer, transports } from '../conformance/transports.js';
import { at } from '../support/at.js';
import { eventually } from '../support/eventually.js';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import {
  answerPart,
  countOf,
  findingOf,
  gate,
  midnight,
  type PartName,
  partNames,
  partOf,
  postureService,
} from '../support/posture-service.js';
import { type Answer, answerJson, type FakeUpstream, startUpstream } from '../support/upstream.js';

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(answer: Answer, limitMs = 10_000): Promise<{ upstream: FakeUpstream; gateway: StartedGateway }> {
  const upstream = await startUpstream(answer);
  closers.push(upstream.close);
  const gateway = await startGateway({ serviceUrl: upstream.url, limitMs });
  closers.push(gateway.close);
  return { upstream, gateway };
}

const composites = {
  get_findings_diff: ['posture.getFindingsDiff', posture.getFindingsDiff],
  get_top_risks: ['posture.getTopRisks', posture.getTopRisks],
  get_posture_summary: ['posture.getSummary', posture.getSummary],
} as const;
type Tool = keyof typeof composites;
const tools = ['get_findings_diff', 'get_top_risks', 'get_posture_summary'] as const satisfies readonly Tool[];
const transportNames = ['trpc', 'mcp'] as const;

/** How many parts a tool asks for. */
const partsOf = (tool: Tool) => (tool === 'get_posture_summary' ? 5 : 4);

function ask(
  { url }: StartedGateway,
  transport: (typeof transportNames)[number],
  tool: Tool,
  input = {},
): Promise<TransportAnswer> {
  const [path, procedure] = composites[tool];
  return transports[transport](url, 'k', path, procedure, input);
}

/** The one answer that both transports give. */
async function askBoth(gateway: StartedGateway, tool: Tool, input = {}): Promise<unknown> {
  const [trpc, mcp] = await Promise.all(
    transportNames.map(async (transport) => answerOf(await ask(gateway, transport, tool, input))),
  );
  expect(mcp).toEqual(trpc);
  return trpc;
}

/** The one refusal that both transports give. */
async function refuseBoth(gateway: StartedGateway, tool: Tool, input = {}) {
  const [trpc, mcp] = await Promise.all(transportNames.map((transport) => ask(gateway, transport, tool, input)));
  if (trpc === undefined || trpc.ok) throw new Error(`${tool} answered`);
  expect(mcp).toEqual({ ...trpc, code: null });
  return { code: trpc.code, text: trpc.text };
}

/** What a tool answers of the parts that there are. */
function expectedOf(tool: Tool, missing: readonly PartName[] = []): Record<string, unknown> {
  const present = (['dependencies', 'code', 'running_app', 'containers'] as const).filter(
    (each) => !missing.includes(each),
  );
  const sum = present.reduce((total, each) => total + countOf[each], 0);
  const each = (show: (count: number) => unknown) =>
    Object.fromEntries(
      Object.entries(countOf).map(([name, count]) => [name, present.some((one) => one === name) ? show(count) : null]),
    );
  const found = present.map((one: Domain) => expect.objectContaining({ domain: one, id: findingOf(one).id }));
  const gone = missing.flatMap((one) => (one === 'verdicts' ? [] : [one]));
  const coverage = expect.objectContaining({
    status: 'affected',
    domains: domains.map((domain) => ({ domain, status: gone.includes(domain) ? 'unknown' : 'affected' })),
    gaps: expect.arrayContaining(gone.map((domain) => expect.stringContaining(`${domain} could not answer`))),
  });
  switch (tool) {
    case 'get_findings_diff':
      return {
        coverage,
        since: midnight,
        window_days: 7,
        domains: each((count) => ({ new: count, reopened: count, resolved: 2 * count, open: 3 * count })),
        worst_new: found,
      };
    case 'get_top_risks':
      return { coverage, risks: found, de_escalated: sum, triaged: 2 * sum };
    case 'get_posture_summary':
      return {
        coverage,
        open: each((critical) => ({ critical, high: 0, medium: 0, low: 0, info: 0, unknown: 0 })),
        acknowledged: sum,
        suppressed: 2 * sum,
        verdicts: missing.includes('verdicts')
          ? null
          : { known_exploited: 5, likely_exploitable: 6, needs_review: 7, likely_not_exploitable: 8, unanalyzed: 9 },
        trend: expect.stringContaining(
          `RED ${3 * sum} -> ${3 * sum} over 7 days: ${sum} new, ${sum} reopened, ${2 * sum} resolved`,
        ),
        worst: found,
      };
  }
}

const calls = (gateway: StartedGateway) =>
  gateway.lines.flatMap((line) => line.split('\n').filter((each) => each.includes('"msg":"call"'))).map(parseLine);

function parseLine(line: string): Record<string, unknown> {
  return JSON.parse(line);
}

const never: Answer = () => {};

/** Within nine tenths of it a busy machine too has the answers of parts that do answer. */
const roomyLimitMs = 3_000;

const answerStatus =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Answer =>
  (res) =>
    answerJson(res, status, body, headers);

const faults: ReadonlyArray<readonly [name: string, reason: string, fault: Answer]> = [
  ['500', 'upstream_error', answerStatus(500)],
  ['503, every time', 'unavailable', answerStatus(503)],
  ['HTML', 'upstream_error', (res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
  ['cut JSON', 'upstream_error', (res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{"a')],
  ['another shape', 'upstream_error', answerStatus(200, { domain: 'code' })],
  ['a broken connection', 'upstream_error', (res) => void res.destroy()],
  ['a plan that is too small', 'plan_required', answerStatus(403, { code: 'plan_required' })],
  ['a refusal', 'forbidden', answerStatus(403, { code: 'forbidden' })],
  ['too many requests', 'rate_limited', answerStatus(429, {}, { 'retry-after': '30' })],
];

describe.each(tools)('%s', (tool) => {
  test('has all parts, asked for concurrently', async () => {
    const { opened, open } = gate();
    const { gateway, upstream } = await start(async (res, seen) => {
      await opened;
      answerPart(res, seen);
    });
    const answer = askBoth(gateway, tool);
    await eventually(() => expect(upstream.seen).toHaveLength(2 * partsOf(tool)));
    open();
    expect(await answer).toEqual({ ...expectedOf(tool), unavailable: [] });
    expect(upstream.seen.map(partOf).sort()).toEqual(
      [...partNames.slice(0, partsOf(tool)), ...partNames.slice(0, partsOf(tool))].sort(),
    );
  });

  test.each(faults)('names a part that meets %s, and keeps the rest exact', async (_name, reason, fault) => {
    const { gateway } = await start(postureService({ code: fault }));
    expect(await askBoth(gateway, tool)).toEqual({
      ...expectedOf(tool, ['code']),
      unavailable: [{ domain: 'code', reason }],
    });
    expect(calls(gateway)).toMatchObject([{ unavailable: [reason] }, { unavailable: [reason] }]);
  });

  test('names a part that does not answer in time, before the call’s own time is over', async () => {
    const { gateway, upstream } = await start(postureService({ running_app: never }), roomyLimitMs);
    expect(await askBoth(gateway, tool)).toEqual({
      ...expectedOf(tool, ['running_app']),
      unavailable: [{ domain: 'running_app', reason: 'timeout' }],
    });
    await eventually(() => expect(upstream.abandoned()).toBe(2));
  });

  test('names a part whose connection is refused when it is tried again', async () => {
    let waiting = 0;
    const { opened, open } = gate();
    const { gateway, upstream } = await start(async (res, seen) => {
      if (++waiting === partsOf(tool)) open();
      await opened;
      upstream.refuse();
      if (partOf(seen) === 'containers') res.destroy();
      else answerPart(res.setHeader('connection', 'close'), seen);
    });
    expect(answerOf(await ask(gateway, 'mcp', tool))).toEqual({
      ...expectedOf(tool, ['containers']),
      unavailable: [{ domain: 'containers', reason: 'unavailable' }],
    });
  });

  test('names several parts in their order, whichever failed first', async () => {
    const { opened, open } = gate();
    const { gateway } = await start(
      postureService({
        dependencies: async (res) => {
          await opened;
          answerJson(res, 500, {});
        },
        containers: (res) => {
          answerJson(res, 403, { code: 'plan_required' });
          open();
        },
      }),
    );
    expect(await askBoth(gateway, tool)).toEqual({
      ...expectedOf(tool, ['dependencies', 'containers']),
      unavailable: [
        { domain: 'dependencies', reason: 'upstream_error' },
        { domain: 'containers', reason: 'plan_required' },
      ],
    });
  });

  test('takes a part’s second try', async () => {
    const tried = new Set<string>();
    const { gateway } = await start((res, seen) => {
      const part = `${seen.headers['x-request-id']} ${partOf(seen)}`;
      if (partOf(seen) === 'code' && !tried.has(part)) answerJson(res, 503, {});
      else answerPart(res, seen);
      tried.add(part);
    });
    expect(await askBoth(gateway, tool)).toEqual({ ...expectedOf(tool), unavailable: [] });
    expect(calls(gateway).map(({ tries }) => tries)).toEqual([partsOf(tool) + 1, partsOf(tool) + 1]);
  });

  test.each(partNames.slice(0, partsOf(tool)))(
    'fails to authenticate where %s does, and waits for no other',
    async (part) => {
      const { gateway, upstream } = await start((res, seen) => {
        if (partOf(seen) === part) answerJson(res, 401, { code: 'unauthenticated' });
      });
      expect(await refuseBoth(gateway, tool)).toEqual({ code: 'unauthenticated', text: 'authentication failed' });
      await eventually(() => expect(upstream.abandoned()).toBe(upstream.seen.length - 2));
    },
  );

  test('says of an unknown project that it was not found', async () => {
    const { gateway, upstream } = await start(answerStatus(404, { code: 'not_found', resource: 'project' }));
    expect(await refuseBoth(gateway, tool, { project_id: 'prj_x' })).toEqual({
      code: 'not_found',
      text: 'project prj_x was not found: list_projects names them',
    });
    expect(upstream.seen.every(({ url }) => url.includes('project_id=prj_x'))).toBe(true);
  });

  test('says so too where the service does not say what is missing', async () => {
    const { gateway } = await start(answerStatus(404));
    expect((await refuseBoth(gateway, tool, { project_id: 'prj_x' })).text).toBe('not found: project_id prj_x');
  });

  test('says so where the service has no such parts', async () => {
    const { gateway } = await start(answerStatus(404, { code: 'not_found', resource: 'route' }));
    expect((await refuseBoth(gateway, tool)).text).toBe('the service does not offer this');
  });

  test.each([
    ['500', answerStatus(500), 'upstream_error', /^the service could not answer; a retry may help \(request [\w-]+\)$/],
    [
      'HTML',
      faults[2]?.[2] ?? never,
      'upstream_error',
      /^the service gave an answer that cannot be understood; a retry will not help/,
    ],
    ['no answer', never, 'timeout', /^the service did not answer within 0\.54 s; a retry may help \(request [\w-]+\)$/],
    [
      'too many requests',
      answerStatus(429, {}, { 'retry-after': '30' }),
      'rate_limited',
      /^too many requests: retry after 30 s$/,
    ],
    ['a refusal', answerStatus(403), 'forbidden', /^this API key is read-only or lacks permission$/],
    [
      'a plan that is too small',
      answerStatus(403, { code: 'plan_required' }),
      'plan_required',
      /^this needs a Business or Enterprise subscription/,
    ],
  ] as const)('fails where every part meets %s', async (_name, fault, code, text) => {
    const { gateway } = await start(fault, code === 'timeout' ? 600 : 10_000);
    // One after the other: the request ids in the words differ.
    for (const transport of transportNames) {
      expect(await ask(gateway, transport, tool)).toEqual({
        ok: false,
        code: transport === 'mcp' ? null : code,
        text: expect.stringMatching(text),
      });
    }
    expect(calls(gateway).map(({ status }) => status)).toEqual([code, code]);
  });

  test('reports of many failures the first part’s, whichever failed first', async () => {
    const { opened, open } = gate();
    let failed = 0;
    const { gateway } = await start(async (res, seen) => {
      if (partOf(seen) === 'dependencies') {
        await opened;
        return answerJson(res, 429, {}, { 'retry-after': '30' });
      }
      answerJson(res, 403, { code: 'plan_required' });
      if (++failed === 2 * (partsOf(tool) - 1)) open();
    });
    expect(await refuseBoth(gateway, tool)).toEqual({
      code: 'rate_limited',
      text: 'too many requests: retry after 30 s',
    });
  });

  test.each(transportNames)('gives its parts up when the caller on %s leaves', async (transport) => {
    const { gateway, upstream } = await start(never, 60_000);
    const controller = new AbortController();
    const client = createPosternClient({ url: gateway.url, credential: 'k' });
    const query = {
      get_findings_diff: client.posture.getFindingsDiff.query,
      get_top_risks: client.posture.getTopRisks.query,
      get_posture_summary: client.posture.getSummary.query,
    }[tool];
    const { signal } = controller;
    const call: Promise<unknown> =
      transport === 'mcp'
        ? callTool(gateway, tool, {}, { headers: { authorization: 'Bearer k' }, signal })
        : query({}, { signal });
    const settled = call.catch((error: unknown) => error);
    await eventually(() => expect(upstream.seen).toHaveLength(partsOf(tool)));
    controller.abort();
    await eventually(() => expect(upstream.abandoned()).toBe(partsOf(tool)));
    await settled;
    await eventually(() => expect(calls(gateway)).toMatchObject([{ status: 'caller_left' }]));
  });

  test('asks its parts as the caller: one credential, request id and trace, and the input', async () => {
    const { gateway, upstream } = await start(postureService());
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { authorization: 'Bearer secret-key', 'x-request-id': 'req-1', traceparent };
    const input = { project_id: 'prj_1', ...(tool === 'get_findings_diff' && { window_days: 30 }) };
    expect((await callTool(gateway, tool, input, { headers })).isError).toBe(false);
    expect(upstream.seen).toHaveLength(partsOf(tool));
    for (const seen of upstream.seen) {
      expect(seen.method).toBe('GET');
      expect(seen.headers).toMatchObject(headers);
      expect(Object.fromEntries(new URL(seen.url, 'http://service').searchParams)).toEqual(
        Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])),
      );
    }
  });

  test('is one line in the log: the longest part’s time, and all tries', async () => {
    const { gateway } = await start(postureService({ code: answerStatus(503) }));
    await callTool(gateway, tool, {}, { headers: { authorization: 'Bearer secret-key' } });
    const [line, ...more] = calls(gateway);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      face: 'mcp',
      procedure: composites[tool][0],
      status: 'ok',
      tries: partsOf(tool) + 2,
      unavailable: ['unavailable'],
    });
    expect(Number(line?.['upstream_ms'])).toBeGreaterThan(0);
    expect(Number(line?.['upstream_ms'])).toBeLessThanOrEqual(Number(line?.['duration_ms']));
    expect(gateway.lines.join('')).not.toContain('secret-key');
  });

  test('spares a struggling service: its parts share the retry budget', async () => {
    const { gateway, upstream } = await start(answerStatus(503));
    const parts = 15 * partsOf(tool);
    for (let call = 0; call < 15; call++) await ask(gateway, 'mcp', tool);
    // Ten saved retries and a fifth of one for each part.
    expect(upstream.seen.length).toBeGreaterThan(parts);
    expect(upstream.seen.length).toBeLessThanOrEqual(parts + 10 + parts / 5);
  });

  test('asks the service for nothing without a credential, and for an input that is wrong who calls alone', async () => {
    const { gateway, upstream } = await start(answerStatus(404));
    expect((await callTool(gateway, tool, {})).text).toBe('authentication failed');
    expect((await refuseBoth(gateway, tool, { project: 'prj_1' })).text).toContain(
      'project: is not known; it takes project_id',
    );
    expect(upstream.seen.map(({ url }) => url)).toEqual(['/api/session', '/api/session']);
  });
});

describe('get_posture_summary', () => {
  test.each(['plan_required', 'forbidden'] as const)('has no verdicts where they are %s', async (code) => {
    const { gateway } = await start(postureService({ verdicts: answerStatus(403, { code }) }));
    expect(await askBoth(gateway, 'get_posture_summary')).toEqual({
      ...expectedOf('get_posture_summary', ['verdicts']),
      trend: 'RED 3702 -> 3702 over 7 days: 1234 new, 1234 reopened, 2468 resolved',
      unavailable: [{ domain: 'verdicts', reason: code }],
    });
  });

  test('shows no number of domains that all are missing', async () => {
    const { gateway } = await start((res, seen) =>
      partOf(seen) === 'verdicts' ? answerPart(res, seen) : answerJson(res, 500, {}),
    );
    const answer = await askBoth(gateway, 'get_posture_summary');
    expect(answer).toMatchObject({
      open: { dependencies: null, code: null, running_app: null, containers: null },
      acknowledged: null,
      suppressed: null,
      verdicts: { known_exploited: 5 },
      trend: 'not known: no domain could answer',
    });
    expect(at(answer, 'unavailable')).toHaveLength(4);
  });

  test('names the domains that its trend is without', async () => {
    const { gateway } = await start(postureService({ code: answerStatus(500) }));
    expect(at(await askBoth(gateway, 'get_posture_summary'), 'trend')).toBe(
      'RED 3102 -> 3102 over 7 days: 1034 new, 1034 reopened, 2068 resolved (without code)',
    );
  });
});
