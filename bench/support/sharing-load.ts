import { Pool } from 'undici';

type Outcome = 'done' | 'refused' | 'failed';

/** A call that has ended. `refused`: with 429 or 503 and when to come back; `failed`: anything else, or no answer in 10 s. */
export interface Ended {
  readonly outcome: Outcome;
  readonly ms: number;
}

const timeoutMs = 10_000;

export interface Client {
  /** `get_top_risks` through MCP: four requests to the service. */
  readonly composite: () => Promise<Ended>;
  /** `GET /api/org`. */
  readonly small: () => Promise<Ended>;
  readonly close: () => Promise<void>;
}

/** A caller with its own connections and API key. */
export function clientOf(url: string, key: string): Client {
  const pool = new Pool(url, { connections: null, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const authorization = `Bearer ${key}`;
  async function send(options: Parameters<Pool['request']>[0]): Promise<Ended> {
    const begun = performance.now();
    const outcome = await pool
      .request({ ...options, signal: AbortSignal.timeout(timeoutMs) })
      .then(async ({ statusCode, headers, body }) => outcomeOf(statusCode, headers['retry-after'], await body.text()))
      .catch(() => 'failed' as const);
    return { outcome, ms: performance.now() - begun };
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_top_risks', arguments: {} } };
  return {
    composite: () =>
      send({
        method: 'POST',
        path: '/mcp',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(call),
      }),
    small: () => send({ method: 'GET', path: '/api/org', headers: { authorization } }),
    close: () => pool.destroy(),
  };
}

/** An answer of which parts are missing is not done. */
function outcomeOf(status: number, retryAfter: unknown, text: string): Outcome {
  if (status === 429 || status === 503) return retryAfter === undefined ? 'failed' : 'refused';
  if (status !== 200) return 'failed';
  if (/"isError":\s*true/.test(text)) return /retry after \d+ s/.test(text) ? 'refused' : 'failed';
  return /"unavailable":\[\{/.test(text) ? 'refused' : 'done';
}

/** `callers` that each call again as soon as they have an answer. */
export async function closedLoop(call: () => Promise<Ended>, callers: number, seconds: number): Promise<Ended[]> {
  const ended: Ended[] = [];
  const end = performance.now() + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < end) ended.push(await call());
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return ended;
}

/** So many calls a second, whether the earlier ones have an answer or not. */
export async function openLoop(call: () => Promise<Ended>, perSecond: number, seconds: number): Promise<Ended[]> {
  const calls: Promise<Ended>[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond) + 1;
    while (calls.length < due) calls.push(call());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Promise.all(calls);
}
