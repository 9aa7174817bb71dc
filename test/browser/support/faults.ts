import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { portOf } from '../../support/upstream.js';

/** What happens to a request to the service, in place of its answer. */
export type Fault = (res: ServerResponse) => void;

/** A real way to the service, on which chosen requests fail or wait. */
export interface FaultyWay {
  readonly url: string;
  /** From now on requests whose `METHOD /path?query` matches meet the fault. Answers a function that ends it. */
  readonly inject: (pattern: RegExp, fault: Fault) => () => void;
  readonly close: () => Promise<void>;
}

/** Answers with a status, as a service that has trouble does. */
export const failing =
  (status: number): Fault =>
  (res) => {
    res.writeHead(status, { 'content-type': 'application/problem+json' }).end('{}');
  };

/** Answers nothing: the caller waits until its own limit. */
export const silent: Fault = () => {};

export async function openFaultyWay(serviceUrl: string): Promise<FaultyWay> {
  const { hostname, port } = new URL(serviceUrl);
  const faults = new Map<symbol, readonly [RegExp, Fault]>();
  const server = createServer((req, res) => {
    const { method = 'GET', url = '/', headers } = req;
    for (const [pattern, fault] of faults.values()) {
      if (pattern.test(`${method} ${url}`)) return fault(res);
    }
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    inject(pattern, fault) {
      const key = Symbol('fault');
      faults.set(key, [pattern, fault]);
      return () => void faults.delete(key);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
