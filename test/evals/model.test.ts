import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askModel } from '../../evals/model/ask.js';
import { modelOf } from '../../evals/model/settings.js';
import { connect, type Server } from '../../evals/tools.js';
import { at } from '../support/at.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { answerJson, type FakeUpstream, startUpstream } from '../support/upstream.js';

/** What the model's API was sent, and how it answers the n-th time. */
const asked: unknown[] = [];
let answers: (turn: number) => readonly [status: number, body: object];
let api: FakeUpstream;
let postern: TestPostern;
let server: Server;
beforeAll(async () => {
  api = await startUpstream((res, { body }) => {
    asked.push(JSON.parse(body));
    answerJson(res, ...answers(asked.length));
  });
  postern = await startPostern();
  server = await connect(postern.url, (await postern.newOrganisation()).readKey);
});
afterAll(async () => {
  await server.close();
  await postern.close();
  await api.close();
});

const anthropicTurn = (...content: object[]) => [200, { content }] as const;
const anthropicCall = (name: string) =>
  anthropicTurn({ type: 'thinking', thinking: '' }, { type: 'tool_use', id: 't1', name, input: {} });
const openaiTurn = (message: object) => [200, { choices: [{ message }] }] as const;
const openaiCall = (name: string) =>
  openaiTurn({ content: null, tool_calls: [{ id: 't1', type: 'function', function: { name, arguments: '' } }] });

const apis = [
  ['ANTHROPIC_API_KEY', anthropicCall, anthropicTurn({ type: 'text', text: 'one project' })],
  ['OPENAI_API_KEY', openaiCall, openaiTurn({ content: 'one project' })],
] as const;

describe.each(apis)('a model of %s', (variable, callOf, said) => {
  function ask() {
    const model = modelOf({ EVALS_MODEL: 'm', EVALS_BASE_URL: `${api.url}/`, [variable]: 'secret-key' });
    if (model === null) throw new Error('no model');
    asked.length = 0;
    const tools = server.handOut();
    return { tools, answer: askModel(model.converse, model.endpoint, tools, 'Which projects are there?') };
  }

  test('gets the tools, what they answer, and gives its answer', async () => {
    answers = (turn) => (turn === 1 ? callOf('list_projects') : said);
    const { tools, answer } = ask();
    expect(await answer).toBe('one project');
    expect(tools.calls).toEqual([{ tool: 'list_projects', input: {} }]);
    expect(tools.tokens()).toBeGreaterThan(10);
    const [first, second] = asked;
    expect([at(first, 'tools')].flat()).toHaveLength(41);
    expect(JSON.stringify(at(second, 'messages'))).toContain('has_more');
    expect(JSON.stringify(asked)).not.toContain('secret-key');
  });

  test('is told that a tool does not exist, and goes on', async () => {
    answers = (turn) => (turn === 1 ? callOf('list_everything') : said);
    expect(await ask().answer).toBe('one project');
    expect(JSON.stringify(asked[1])).toContain('there is no tool of this name');
  });

  test('that never stops calling has no answer', async () => {
    answers = () => callOf('get_org');
    const { tools, answer } = ask();
    expect(await answer).toBeNull();
    expect(tools.calls).toHaveLength(11);
  });

  test('whose API refuses is an error that says so without the key', async () => {
    answers = () => [429, { error: 'slow down' }];
    const failure = await ask().answer.then(String, String);
    expect(failure).toContain("the model's API answered 429");
    expect(failure).not.toContain('secret-key');
  });
});

test('no model is asked unless one is named, and one without a key is an error', () => {
  expect(modelOf({ OPENAI_API_KEY: 'k' })).toBeNull();
  expect(() => modelOf({ EVALS_MODEL: 'm' })).toThrow('set ANTHROPIC_API_KEY or OPENAI_API_KEY too');
  expect(() => modelOf({ EVALS_MODEL: 'm', OPENAI_API_KEY: 'k', EVALS_BASE_URL: 'ftp://x' })).toThrow();
  expect(modelOf({ EVALS_MODEL: 'm', ANTHROPIC_API_KEY: 'k' })?.endpoint.baseUrl).toBe('https://api.anthropic.com');
});
