import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AnyProcedure, isCallable, isComposite, type Procedure } from '../../src/procedures/define.js';
import { procedures } from '../../src/procedures/index.js';
import { methodOf, pathsOf } from '../../src/shared/http/request-parts.js';
import { sampleOf } from './sample.js';

/** A request that the fake service received. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (res: ServerResponse, seen: Seen, req: IncomingMessage) => void | Promise<void>;

export interface FakeUpstream {
  readonly url: string;
  readonly seen: Seen[];
  /** Number of connections that the client closed before the answer was complete. */
  readonly abandoned: () => number;
  /** Refuses new connections from now on; existing ones stay open. */
  readonly refuse: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a real HTTP server in place of the service. It answers as the test says, by default with a valid sample. */
export async function startUpstream(answer: Answer = answerSample): Promise<FakeUpstream> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let abandoned = 0;
  const server = createServer(async (req, res) => {
    const request = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: await text(req) };
    seen.push(request);
    res.once('close', () => {
      if (!res.writableFinished) abandoned++;
    });
    await answer(res, request, req);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = once(server, 'close');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    seen,
    abandoned: () => abandoned,
    refuse: () => server.close(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await closed;
    },
  };
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

export function answerJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers });
  res.end(JSON.stringify(body));
}

/** Every procedure with its path, such as `alerts.list`. */
export const everyProcedure: ReadonlyArray<readonly [path: string, procedure: AnyProcedure]> = Object.entries(
  procedures,
).flatMap(([group, members]) =>
  Object.entries<AnyProcedure>(members).map(([name, procedure]): [string, AnyProcedure] => [
    `${group}.${name}`,
    procedure,
  ]),
);

/** Those that calls carry: all but files of lines. */
export const everyCall = everyProcedure.filter(([, procedure]) => isCallable(procedure));

/** The procedures that are one request: all except the composites. */
export const everyRequest: ReadonlyArray<readonly [path: string, procedure: Procedure]> = everyProcedure.flatMap(
  ([path, procedure]) => (isComposite(procedure) ? [] : [[path, procedure] as const]),
);

/** The lists of a project that have a path over all projects too. What belongs to a group is no such list. */
export const listsOfAll = everyRequest.flatMap(([path, procedure]) => {
  const { everywhere } = procedure;
  return everywhere === undefined || !/^GET [^{]+$/.test(everywhere) ? [] : [{ path, procedure, everywhere }];
});

/** The procedure that a request to the service is for. */
export function procedureOf({ method, url }: Pick<Seen, 'method' | 'url'>): Procedure {
  const { pathname } = new URL(url, 'http://service');
  const path = pathname.slice(pathname.indexOf('/api/'));
  const found = everyRequest.find(
    ([, procedure]) =>
      methodOf(procedure) === method &&
      pathsOf(procedure).some((each) => new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)),
  );
  if (found === undefined) throw new Error(`no procedure is at ${method} ${path}`);
  return found[1];
}

export function answerSample(res: ServerResponse, seen: Seen): void {
  answerJson(res, 200, sampleOf(procedureOf(seen).output));
}
