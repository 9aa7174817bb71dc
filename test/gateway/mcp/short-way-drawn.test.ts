import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyProcedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { arbitraryInput } from '../../procedures/arbitrary-input.js';
import { answerSample } from '../../support/upstream.js';
import { type BothWays, type Sent, startBothWays } from './both-ways.js';
import { both, credential, envelope } from './requests.js';

let ways: BothWays;
beforeAll(async () => {
  ways = await startBothWays(answerSample);
});
afterAll(() => ways.close());

const tools = Object.values(procedures).flatMap((group) =>
  Object.values<AnyProcedure>(group).flatMap(({ tool, input }) => (tool === undefined ? [] : [{ tool, input }])),
);

const anything = fc.jsonValue({ maxDepth: 3 });

/** What is right most of the time, and anything else now and then. */
function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<unknown> = anything): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

const absent = fc.constant(undefined);

const capabilities = fc.record({
  roots: mostly(fc.record({ listChanged: fc.boolean() })),
  sampling: mostly(absent, fc.constant({})),
  elicitation: mostly(fc.constant({ form: {} })),
});

const extra = {
  progressToken: mostly(fc.oneof(absent, fc.string(), fc.integer())),
  traceparent: mostly(fc.constant(`00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`)),
  'com.example/note': anything,
  'io.modelcontextprotocol/logLevel': mostly(absent, fc.constantFrom('info', 'x')),
};

const metas = {
  '2025': mostly(fc.oneof(absent, fc.record(extra))),
  '2026': mostly(
    fc.record({
      ...extra,
      'io.modelcontextprotocol/protocolVersion': mostly(fc.constant('2026-07-28'), fc.constantFrom('2025-11-25', 1)),
      'io.modelcontextprotocol/clientInfo': mostly(fc.constant(envelope['io.modelcontextprotocol/clientInfo'])),
      'io.modelcontextprotocol/clientCapabilities': mostly(capabilities),
    }),
  ),
};

const call = (meta: fc.Arbitrary<unknown>) =>
  fc.constantFrom(...tools).chain(({ tool, input }) =>
    fc.record({
      name: mostly(fc.constant(tool)),
      arguments: mostly(fc.oneof(absent, arbitraryInput(input), fc.dictionary(fc.string(), anything))),
      _meta: meta,
      more: mostly(absent),
    }),
  );

const list = (meta: fc.Arbitrary<unknown>) =>
  fc.record({ cursor: mostly(fc.oneof(absent, fc.string())), _meta: meta, more: mostly(absent) });

const request = fc.constantFrom('2025', '2026').chain((era) =>
  fc.record({
    message: fc.oneof(
      fc.record({ method: mostly(fc.constant('tools/call')), params: mostly(call(metas[era])) }),
      fc.record({ method: mostly(fc.constant('tools/list')), params: mostly(list(metas[era])) }),
    ),
    jsonrpc: mostly(fc.constant('2.0')),
    id: mostly(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger())),
    version: mostly(
      era === '2026' ? fc.constant('2026-07-28') : fc.constantFrom('2025-11-25', '2025-03-26', undefined),
      fc.constantFrom('2026-07-28', '2025-11-25', '2027-01-01'),
    ),
    accept: mostly(fc.constant(both), fc.constantFrom('application/json', '*/*', 'text/event-stream')),
    toolsets: mostly(absent, fc.constantFrom('all', 'readonly', 'x')),
    agrees: mostly(fc.constant(true)),
  }),
);

/** A member of a value of unknown kind. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}

/** The header field for a member; none where a header could not carry it. */
function asField(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

const sent: fc.Arbitrary<Sent> = request.map(({ message, jsonrpc, id, version, accept, toolsets, agrees }) => ({
  headers: {
    ...credential,
    accept: String(accept),
    'mcp-protocol-version': asField(version),
    'x-mcp-toolsets': asField(toolsets),
    'mcp-method': agrees === true ? asField(message.method) : 'tools/other',
    'mcp-name': asField(memberOf(message.params, 'name')),
  },
  body: { jsonrpc, id, ...message },
}));

test('any request is answered with the same bytes by the short way and by the SDK', async () => {
  const taken = { short: 0, SDK: 0 };
  await fc.assert(
    fc.asyncProperty(sent, async (each) => {
      const { withShortWay, sdkAlone, wasShort } = await ways.compare(each);
      taken[wasShort ? 'short' : 'SDK'] += 1;
      expect(withShortWay).toEqual(sdkAlone);
    }),
    { numRuns: 300 },
  );
  // Both ways were drawn often enough for the comparison to mean something.
  expect(Math.min(taken.short, taken.SDK)).toBeGreaterThan(30);
});
