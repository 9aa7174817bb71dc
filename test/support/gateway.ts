import { once } from 'node:events';
import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import type { Express } from 'express';
import { pino } from 'pino';
import { createGatewayApp, type GatewayOptions } from '../../src/gateway/app.js';
import { redaction } from '../../src/gateway/logger.js';
import { serviceAddress } from '../../src/gateway/upstream/service-address.js';
import { createUpstream, type UpstreamOptions } from '../../src/gateway/upstream/upstream.js';
import { eventLoop } from '../../src/shared/limits/event-loop.js';
import { patientLimits } from './patient-limits.js';
import { portOf } from './upstream.js';

export interface TestGateway {
  readonly app: Express;
  /** Every line the gateway has logged. */
  readonly lines: string[];
  readonly drain: () => void;
  /** Ends the exchanges that run; the service can still be reached. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface StartedGateway extends TestGateway {
  readonly url: string;
}

type Options = Omit<GatewayOptions, 'upstream' | 'logger'> &
  Pick<UpstreamOptions, 'maxResponseBytes' | 'callerHeaders' | 'inProcess'> & { readonly serviceUrl: string };

/** A gateway in front of the given service, for requests by supertest. */
export function createTestGateway(all: Options): TestGateway {
  const { serviceUrl, maxResponseBytes, callerHeaders, inProcess, ...options } = all;
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const upstream = createUpstream({
    address: serviceAddress.parse(serviceUrl),
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    ...(callerHeaders !== undefined && { callerHeaders }),
    inProcess,
  });
  const {
    app,
    drain,
    close: stop,
  } = createGatewayApp({
    upstream,
    logger: pino({ level: 'debug', ...redaction }, sink),
    limits: patientLimits,
    ...options,
  });
  return {
    app,
    lines,
    drain,
    stop,
    close: async () => {
      await stop();
      await upstream.close();
    },
  };
}

/** A gateway on a port of its own, for clients, streams and connections that break. */
export async function startGateway({
  port = 0,
  ...options
}: Options & { readonly port?: number }): Promise<StartedGateway> {
  const gateway = createTestGateway(options);
  const server = createServer(gateway.app);
  server.on('connection', eventLoop.arrived);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...gateway,
    url: `http://127.0.0.1:${portOf(server.address())}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await gateway.close();
    },
  };
}

/** Calls a tool with a plain request, as a 2025 client without a session does. */
export async function callTool(
  gateway: Pick<StartedGateway, 'url'>,
  name: string,
  input: unknown,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<ToolAnswer> {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    ...(signal !== undefined && { signal }),
  });
  const raw = await response.text();
  return { raw, ...readAnswer(raw) };
}

export interface ToolAnswer {
  readonly raw: string;
  readonly isError: boolean;
  readonly text: string;
  readonly structuredContent: unknown;
  /** A protocol error's code. */
  readonly errorCode: number | undefined;
}

/** The JSON-RPC answer, alone or in an event of a stream. */
function readAnswer(raw: string): Omit<ToolAnswer, 'raw'> {
  const json = raw.startsWith('{') ? raw : (/^data: (\{.*)$/m.exec(raw)?.[1] ?? 'null');
  const { result, error } = JSON.parse(json);
  return {
    isError: result?.isError === true,
    text: result?.content?.[0]?.text ?? '',
    structuredContent: result?.structuredContent,
    errorCode: error?.code,
  };
}
