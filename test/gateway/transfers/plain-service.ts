import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { portOf } from '../../support/upstream.js';

export type Serve = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** A service that reads no body by itself: the test decides when, and how much. */
export async function startPlainService(serve: Serve) {
  const server: Server = createServer((req, res) => void serve(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A request whose body the test writes piece by piece, and its answer. */
export function open(url: string, headers: Record<string, string | number>) {
  const sent = request(url, { method: 'POST', headers, agent: false });
  const answer = new Promise<{ readonly status: number; readonly body: unknown }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: JSON.parse(String(Buffer.concat(chunks))) }));
    });
  });
  return { sent, answer };
}
