import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { type Answer, send } from './http.js';
import { parseJson } from './json.js';
import type { Operation } from './operation.js';

const doors = ['rest', 'trpc', 'mcp'] as const;
export type Door = (typeof doors)[number];

/**
 * What a call came to, whichever door it took. `refused` is an answer about the call itself (404, 409, 422), so that the
 * caller was admitted. `busy` asks to come again; `fault` is the server's: a 5xx, no answer, a stack.
 */
export type Outcome =
  | 'ok'
  | 'refused'
  | 'not_found'
  | 'unauthenticated'
  | 'forbidden'
  | 'plan_required'
  | 'busy'
  | 'fault';

export interface CallResult {
  readonly outcome: Outcome;
  readonly answer: Answer;
}

export interface Call {
  readonly door: Door;
  readonly operation: Operation;
  readonly credential: string | null;
  readonly input: Readonly<Record<string, unknown>>;
}

export function doorsOf({ http, tool }: Operation): readonly Door[] {
  return doors.filter((door) => door === 'trpc' || (door === 'rest' ? http : tool) !== undefined);
}

/** One call. Where the server asks to come again, it waits as long as it says, and tries at most five times. */
export async function call(url: string, wanted: Call): Promise<CallResult> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await senders[wanted.door](url, wanted);
    const outcome = outcomeOf(wanted.door, answer);
    if (outcome !== 'busy' || attempt === 5) return { outcome, answer };
    // A tool's result has no headers, and says it in words.
    const seconds = answer.retryAfter ?? /\bretry after (\d+) s\b/.exec(answer.text)?.[1] ?? 1;
    await sleep(Math.min(30, Number(seconds) || 1) * 1000);
  }
}

const senders: Record<Door, (url: string, wanted: Call) => Promise<Answer>> = {
  rest: (url, { operation, credential, input }) => send(url, { ...restRequest(operation, input), credential }),
  trpc: (url, { operation, credential, input }) => {
    if (operation.isFile) {
      const { path } = restRequest({ ...operation, http: `GET /trpc/document/${operation.path}` }, input);
      return send(url, { path, credential });
    }
    const json = JSON.stringify({ json: input });
    const path = `/trpc/${operation.path}`;
    // tRPC's gateway takes JSON alone, also of a request that has no body.
    return operation.http === undefined || operation.http.startsWith('GET ')
      ? send(url, { path: `${path}?input=${encodeURIComponent(json)}`, credential })
      : send(url, { path, body: json, credential });
  },
  mcp: (url, { operation, credential, input }) => callTool(url, credential, operation.tool ?? '', input),
};

/** A tool call as a client of the 2025 revisions sends it, without a session. */
export function callTool(
  url: string,
  credential: string | null,
  name: string,
  input: unknown,
  id: unknown = 1,
): Promise<Answer> {
  const params = { name, arguments: input };
  return sendRpc(url, credential, { jsonrpc: '2.0', id, method: 'tools/call', params });
}

export function sendRpc(url: string, credential: string | null, body: unknown): Promise<Answer> {
  return send(url, {
    path: '/mcp',
    body,
    credential,
    headers: { accept: 'application/json, text/event-stream', 'x-mcp-toolsets': 'all' },
  });
}

function restRequest({ http = 'GET /', bodyKey }: Operation, input: Readonly<Record<string, unknown>>) {
  const [method = 'GET', template = '/'] = http.split(' ');
  const rest = new Map(Object.entries(input));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const inBody = bodyKey === undefined ? undefined : rest.get(bodyKey);
  if (bodyKey !== undefined) rest.delete(bodyKey);
  if (bodyKey === undefined && !['GET', 'DELETE'].includes(method)) {
    return { method, path, body: Object.fromEntries(rest) };
  }
  const query = new URLSearchParams([...rest].map(([name, value]): [string, string] => [name, String(value)]));
  return { method, path: query.size === 0 ? path : `${path}?${query}`, ...(bodyKey !== undefined && { body: inBody }) };
}

const codes: Readonly<Record<string, Outcome>> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  plan_required: 'plan_required',
  not_found: 'not_found',
  rate_limited: 'busy',
  unavailable: 'busy',
  timeout: 'fault',
  upstream_error: 'fault',
  internal: 'fault',
};

const problem = z.object({ code: z.string() });
const trpcError = z.object({ error: z.object({ json: z.object({ data: z.object({ failure: z.string() }) }) }) });
const toolAnswer = z.object({
  result: z.object({ isError: z.boolean().default(false), content: z.array(z.object({ text: z.string() })) }),
});

export function outcomeOf(door: Door, answer: Answer): Outcome {
  const body = rpcBodyOf(answer.text);
  if (answer.status === 429 || answer.status === 503) return 'busy';
  if (answer.status === 0 || answer.status >= 500) return 'fault';
  if (door === 'mcp') {
    const { data } = toolAnswer.safeParse(body);
    if (data === undefined) return answer.status === 401 ? 'unauthenticated' : 'fault';
    return data.result.isError ? outcomeOfText(data.result.content[0]?.text ?? '') : 'ok';
  }
  if (answer.status < 300) return 'ok';
  const code =
    door === 'rest' ? problem.safeParse(body).data?.code : trpcError.safeParse(body).data?.error.json.data.failure;
  return codes[code ?? 'internal'] ?? 'refused';
}

/** MCP has no codes; the specification fixes the first two texts (section 7). */
function outcomeOfText(text: string): Outcome {
  if (text.startsWith('authentication failed')) return 'unauthenticated';
  if (text.startsWith('this API key is read-only or lacks permission')) return 'forbidden';
  if (text.includes('subscription')) return 'plan_required';
  if (/too many requests|try again|retry after/.test(text)) return 'busy';
  if (/did not answer|could not answer|cannot be understood/.test(text)) return 'fault';
  return /not found|there is no/.test(text) ? 'not_found' : 'refused';
}

/** The JSON of an answer, alone or in an event of a stream. */
export function rpcBodyOf(text: string): unknown {
  return parseJson(
    text.startsWith('event:') || text.startsWith('data:') ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '') : text,
  );
}
