import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { keptFields } from '../../../src/gateway/mcp/tool-form.js';
import { type AnyProcedure, isComposite } from '../../../src/procedures/define.js';
import { fatAnswer, fatTotal } from '../../support/fat-answer.js';
import { callTool, type StartedGateway, startGateway } from '../../support/gateway.js';
import { partAnswer } from '../../support/posture-service.js';
import { sampleInputOf } from '../../support/sample.js';
import { answerJson, everyProcedure, type FakeUpstream, procedureOf, startUpstream } from '../../support/upstream.js';
import { finding } from '../composites/arbitrary-finding.js';

const texts: Readonly<Record<string, string>> = {
  'a short text': 'Prototype pollution in lodash',
  'English of 1,300 characters': 'A flaw in the parser lets a remote attacker run code. '.repeat(24),
  'Chinese and Korean': '反序列化漏洞允许远程攻击者执行任意代码。 원격 코드 실행 '.repeat(20),
  'scripts without tokens of their own': 'ᏣᎳᎩ 𒀀𒁀 ꔀꔁ ނެޓް ᚠᚢᚦ '.repeat(30),
  emoji: '👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🧑🏽‍🚀'.repeat(24),
  'controls, quotes and markup': '\u0001"\\ <b hidden>x</b> [a](b "c") '.repeat(24),
  'digits and points': '1.2.3-a4b5c6.'.repeat(80),
};

let text = '';
let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  upstream = await startUpstream((res, seen) => {
    if (!seen.url.startsWith('/api/posture/') || /trend|projects/.test(seen.url))
      return answerJson(res, 200, fatAnswer(procedureOf(seen), seen, text));
    const named = { title: text, location: text, cve: text, package: text };
    answerJson(
      res,
      200,
      partAnswer(seen, (domain) =>
        Array.from({ length: 10 }, () => finding({ domain, ...named, project: { id: 'p', name: text } })),
      ),
    );
  });
  gateway = await startGateway({ serviceUrl: upstream.url, maxResponseBytes: 64 * 1024 * 1024 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const answer = z.looseObject({
  items: z.array(z.looseObject({})).optional(),
  next_cursor: z.string().nullable().optional(),
  has_more: z.boolean().optional(),
  more: z.string().optional(),
});

const headers = { authorization: 'Bearer k', 'x-mcp-toolsets': 'all' };
const idsOfAll = Array.from({ length: fatTotal }, (_, nth) => `row_${nth}`.padEnd(24, '7'));

async function ask(tool: string, input: object) {
  const { isError, text: json } = await callTool(gateway, tool, input, { headers });
  expect(isError, json).toBe(false);
  return { json, tokens: countTokens(json), ...answer.parse(JSON.parse(json)) };
}

/** Reading tools with what they take at least, and what asks for most. */
const reads = everyProcedure.flatMap(([, procedure]) => {
  const { tool, access, input } = procedure;
  if (tool === undefined || access !== 'read') return [];
  return [[tool, sampleInputOf(input), widest(procedure)] as const];
});

function widest(procedure: AnyProcedure): object {
  return {
    ...sampleInputOf(procedure.input),
    ...('page_size' in procedure.input.shape && { page_size: 100 }),
    ...(keptFields(procedure) !== null && { view: 'full' }),
    ...(!isComposite(procedure) && procedure.document !== undefined && { [`include_${procedure.document}`]: true }),
  };
}

/** Texts with which every tool is asked: usual ones, and those that cost most. With the others, tools of each shape. */
const hardest = new Set(['English of 1,300 characters', 'Chinese and Korean', 'emoji']);
const ofEachShape = new Set([
  'list_alerts',
  'get_alert',
  'get_top_risks',
  'get_posture_summary',
  'get_fix_plan',
  'search',
]);

describe.each(Object.entries(texts))('where every text is %s', (name, given) => {
  test.each(reads.filter(([tool]) => hardest.has(name) || ofEachShape.has(tool)))(
    '%s answers at most 6,000 tokens by default and 20,000 at all',
    async (tool, least, most) => {
      text = given;
      const usual = await ask(tool, least);
      expect(usual.tokens).toBeLessThanOrEqual(6_000);
      const asked = await ask(tool, most);
      expect(asked.tokens).toBeLessThanOrEqual(20_000);
      if (usual.has_more === true) {
        expect(usual.items?.length).toBeGreaterThan(0);
        expect(usual.more).toMatch(/^\d+ more/);
      }
    },
  );

  test.each([
    ['list_alerts', {}],
    ['list_alerts', { page_size: 100, view: 'full' }],
    ['list_dast_findings', { page_size: 100, view: 'full' }],
    ['list_sast_findings', { page_size: 50, view: 'full' }],
    ['list_projects', { page_size: 100 }],
  ])('%s with %j leads on through all rows, each once', async (tool, first) => {
    text = given;
    const seen: unknown[] = [];
    let input: object = first;
    for (;;) {
      const { items = [], has_more, next_cursor, more } = await ask(tool, input);
      seen.push(...items.map(({ id }) => id));
      if (has_more !== true) break;
      expect(more).toContain('pass next_cursor as cursor');
      input = { ...first, cursor: next_cursor };
    }
    expect(seen).toEqual(idsOfAll);
  });

  test('a loop over pages skips no row: it is refused with the cursor that goes on', async () => {
    text = given;
    const seen: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const { isError, text: said } = await callTool(gateway, 'list_alerts', { page }, { headers });
      if (isError) {
        const cursor = /page \d+ ended early.*go on with cursor (\S+)/.exec(said)?.[1];
        expect(Number(cursor)).toBe(seen.length);
        break;
      }
      const { items = [], has_more } = answer.parse(JSON.parse(said));
      seen.push(...items.map(({ id }) => id));
      if (has_more !== true) break;
    }
    expect(seen).toEqual(idsOfAll.slice(0, seen.length));
  });
});
