import type { RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { pino } from 'pino';
import { Pool } from 'undici';
import { createGatewayApp } from '../src/gateway/app.js';
import { serviceAddress } from '../src/gateway/service-address.js';
import { createUpstream } from '../src/gateway/upstream.js';
import type { AnyProcedure } from '../src/procedures/define.js';
import { procedures } from '../src/procedures/index.js';
import { listen } from './support/listen.js';
import { median } from './support/measure.js';

// Measures the time that the gateway adds to a call of the service, and how much faster a tool list that is built once is
// than one registered for each request (the SDK's usual way). One process; the subjects alternate; medians of the rounds.

const rounds = 7;
const callsPerRound = 300;

const project = {
  id: 'prj_1',
  name: 'Web shop',
  description: null,
  exposure: 'internet',
  repo: null,
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const items = Array.from({ length: 25 }, (_, n) => ({ ...project, id: `prj_${n}` }));
const page = JSON.stringify({ items, page: 1, page_size: 25, total: 25, has_more: false });

/** A listener that registers every tool again for each request. */
function registerEachTime(): RequestListener {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'peer', version: '0' });
    for (const group of Object.values(procedures)) {
      for (const { tool, title, description, input } of Object.values<AnyProcedure>(group)) {
        if (tool === undefined) continue;
        server.registerTool(tool, { title, description, inputSchema: input }, () => ({ content: [] }));
      }
    }
    return server;
  });
  const serve = toNodeHandler(handler);
  return express().use(express.json(), (req, res) => serve(req, res, req.body));
}

const service = await listen((_req, res) => res.setHeader('content-type', 'application/json').end(page));
const upstream = createUpstream({ address: serviceAddress.parse(service.url) });
const gateway = createGatewayApp({ upstream, logger: pino({ level: 'silent' }) });
const postern = await listen(gateway.app);
const peer = await listen(registerEachTime());

const credential = { authorization: `Bearer postern_live_${'0'.repeat(64)}` };
const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const mcp = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...credential };

const subjects = [
  { name: 'service, directly', url: service.url, path: '/api/projects', headers: credential },
  { name: 'through tRPC', url: postern.url, path: '/trpc/projects.list', headers: credential },
  {
    name: 'through MCP',
    url: postern.url,
    path: '/mcp',
    headers: mcp,
    body: rpc('tools/call', { name: 'list_projects', arguments: {} }),
  },
  { name: 'tools/list', url: postern.url, path: '/mcp', headers: mcp, body: rpc('tools/list', {}) },
  { name: 'tools/list, registered each time', url: peer.url, path: '/mcp', headers: mcp, body: rpc('tools/list', {}) },
].map((subject) => ({ ...subject, pool: new Pool(subject.url, { connections: 1 }), times: [] as number[] }));

for (let round = 0; round < rounds; round += 1) {
  for (const { name, pool, path, headers, body, times } of subjects) {
    const start = performance.now();
    for (let call = 0; call < callsPerRound; call += 1) {
      const answer = await pool.request({
        path,
        headers,
        method: body === undefined ? 'GET' : 'POST',
        ...(body && { body }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200 || /"isError":true/.test(text))
        throw new Error(`${name}: ${answer.statusCode} ${text.slice(0, 200)}`);
    }
    times.push((performance.now() - start) / callsPerRound);
  }
}

const [direct, , , once41, each41] = subjects.map(({ times }) => median(times));
for (const { name, times } of subjects) {
  console.log(
    `${name.padEnd(34)} ${median(times).toFixed(3)} ms  ${(median(times) / (direct ?? Number.NaN)).toFixed(1)} x the service`,
  );
}
console.log(
  `A tool list built once is ${((each41 ?? 0) / (once41 ?? 1)).toFixed(1)} x faster than one registered for each request.`,
);

for (const { pool } of subjects) await pool.close();
await gateway.close();
await upstream.close();
for (const { server } of [service, postern, peer]) server.close();
