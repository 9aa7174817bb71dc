import * as z from 'zod';
import { operations } from '../operations/index.js';
import { type Check, judged } from '../support/check.js';
import { rpcBodyOf, sendRpc } from '../support/doors.js';
import { send, showsStack } from '../support/http.js';
import type { ReadOnlyProof } from '../support/proof.js';

/** Headers that each answer has, with what they must contain (OWASP Secure Headers Project). */
const headers: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /frame-ancestors 'none'|default-src/,
  'cache-control': /no-store/,
  'referrer-policy': /no-referrer/,
};

/** Paths at which servers show by mistake what is meant for those who run them. */
const forgotten = [
  ...['/.env', '/.git/config', '/admin', '/actuator', '/debug/pprof', '/server-status', '/first-run.json', '/jwt.key'],
  ...['/api/v1', '/api/internal', '/api/debug', '/graphql', '/console', '/package.json', '/dist/postern.js'],
];

export async function headersAndOrigins({ url, key }: ReadOnlyProof): Promise<Check[]> {
  const faults: string[] = [];
  for (const path of ['/api/org', '/trpc/organisation.get', '/healthz', '/nothing-here', '/mcp']) {
    const { header, text } = await send(url, { path, credential: key });
    for (const [name, wanted] of Object.entries(headers)) {
      if (!wanted.test(header(name) ?? '')) faults.push(`${path}: ${name} is ${header(name) ?? 'absent'}`);
    }
    if (header('x-powered-by') !== undefined) faults.push(`${path}: x-powered-by names the software`);
    if (showsStack(text)) faults.push(`${path}: the answer shows a stack`);
  }
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const path of ['/trpc/organisation.get', '/mcp', '/api/org']) {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await send(url, { method, path, credential: key, headers: foreign });
      if (answer.header('access-control-allow-origin') !== undefined)
        faults.push(`${method} ${path}: CORS for another site`);
      if (path !== '/api/org' && answer.status < 400)
        faults.push(`${method} ${path}: ${answer.status} for another site`);
    }
  }
  return [judged({ row: 'API8', name: 'headers and origins' }, '5 paths, 3 doors from another site', faults)];
}

const toolList = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });

/** What is offered is what the specification lists, and nothing lies about beside it. */
export async function offered({ url, key }: ReadOnlyProof): Promise<Check[]> {
  const { text } = await sendRpc(url, key, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const listed = toolList.safeParse(rpcBodyOf(text)).data?.result.tools.map(({ name }) => name) ?? [];
  const known = operations.flatMap(({ tool }) => tool ?? []);
  const faults = [
    ...listed.filter((name) => !known.includes(name)).map((name) => `the tool ${name} is not in the specification`),
    ...known.filter((name) => !listed.includes(name)).map((name) => `the tool ${name} is missing`),
  ];
  for (const path of forgotten) {
    const { status } = await send(url, { path, credential: key });
    if (status < 400) faults.push(`${path}: ${status}`);
  }
  const figures = `${listed.length} tools, ${forgotten.length} paths`;
  return [judged({ row: 'API9', name: 'tools and forgotten paths' }, figures, faults)];
}
