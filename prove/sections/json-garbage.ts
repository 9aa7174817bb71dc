import { type Check, judged } from '../support/check.js';
import { rpcBodyOf, sendRpc } from '../support/doors.js';
import { type Answer, send, showsStack } from '../support/http.js';
import { inParallel } from '../support/in-parallel.js';
import type { LocalProof, ReadOnlyProof } from '../support/proof.js';
import { aliveFaults } from './raw-http.js';

/** JSON values, as text, that parsers and validators trip over. */
const values: Readonly<Record<string, string>> = {
  '5,000 deep list': '['.repeat(5_000) + ']'.repeat(5_000),
  '5,000 deep object': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '100,000 deep list': '['.repeat(100_000) + ']'.repeat(100_000),
  'number beyond doubles': '{"page":1e400}',
  'number of 100,000 digits': `{"page":${'9'.repeat(100_000)}}`,
  'minus zero': '{"page":-0}',
  'key twice': '{"page":1,"page":2}',
  __proto__: '{"__proto__":{"page":1,"isAdmin":true}}',
  constructor: '{"constructor":{"prototype":{"isAdmin":true}}}',
  NUL: '{"project_id":"a\\u0000b"}',
  'lone surrogate': '{"project_id":"\\ud800"}',
  'bidi controls': '{"project_id":"\\u202e\\u200b"}',
  list: '[1,2,3]',
  text: '"text"',
  null: 'null',
  '10,000 unknown keys': `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`).join()}}`,
  'not JSON': '{"page":',
  nothing: '',
};

interface Door {
  readonly name: string;
  readonly send: (value: string) => Promise<Answer>;
}

export async function jsonGarbage({ url, key }: ReadOnlyProof): Promise<Check[]> {
  const rpc = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params || '""'}}`;
  return run('JSON garbage', url, [
    { name: 'MCP arguments', send: (value) => sendRpc(url, key, rpc(`{"name":"list_projects","arguments":${value}}`)) },
    {
      name: 'MCP without a key',
      send: (value) => sendRpc(url, null, rpc(`{"name":"list_projects","arguments":${value}}`)),
    },
    { name: 'MCP parameters', send: (value) => sendRpc(url, key, rpc(value)) },
    { name: 'MCP message', send: (value) => sendRpc(url, key, value) },
    { name: 'MCP id', send: (value) => sendRpc(url, key, `{"jsonrpc":"2.0","id":${value},"method":"tools/list"}`) },
    {
      name: 'tRPC query',
      send: (value) => {
        // A longer line than Node reads (16 kB) is a case of the raw requests.
        const input = encodeURIComponent(`{"json":${value}}`).slice(0, 12_000);
        return send(url, { path: `/trpc/projects.list?input=${input}`, credential: key });
      },
    },
  ]);
}

/** The same where a body is read for what it would change. */
export async function jsonGarbageInWrites({ url, tenants }: LocalProof): Promise<Check[]> {
  const credential = tenants.Business.writeKey;
  return run('JSON garbage in writes', url, [
    { name: 'REST create', send: (body) => send(url, { path: '/api/projects', credential, body }) },
    {
      name: 'REST upload',
      send: (body) => send(url, { path: '/api/projects/none/sast/reports?source_repo=a', credential, body }),
    },
    {
      name: 'tRPC mutation',
      send: (value) => send(url, { path: '/trpc/projects.create', credential, body: `{"json":${value}}` }),
    },
    { name: 'sign-in', send: (body) => send(url, { path: '/api/session', credential: null, body }) },
  ]);
}

async function run(name: string, url: string, doors: readonly Door[]): Promise<Check[]> {
  const cases = doors.flatMap((door) => Object.entries(values).map(([kind, value]) => ({ door, kind, value })));
  const faults: string[] = [];
  await inParallel(cases, 4, async ({ door, kind, value }) => {
    const answer = await door.send(value);
    const fault = faultOf(answer);
    if (fault !== undefined) faults.push(`${door.name}, ${kind}: ${fault}`);
  });
  faults.push(...(await aliveFaults(url)));
  return [judged({ row: 'API8', name }, `${cases.length} requests at ${doors.length} doors`, faults)];
}

/** What must not come of bad input: no answer, a failure of the server, its stack. -32603 is JSON-RPC's internal error. */
export function faultOf({ status, text, retryAfter }: Answer): string | undefined {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500 && !(status === 503 && retryAfter !== undefined)) return `${status}`;
  if (/"code":\s*-32603/.test(text) && rpcBodyOf(text) !== undefined) return 'an internal error';
  return showsStack(text) ? 'the answer shows a stack' : undefined;
}
