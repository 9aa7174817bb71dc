import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { portOf } from '../../support/upstream.js';

/** A request as the receiver got it. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on loopback until the test is over; answers 204 by default. */
export async function startReceiver(
  answer: (res: ServerResponse, count: number) => void = (res) => res.writeHead(204).end(),
) {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const body = await text(req);
    received.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers, body });
    answer(res, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${portOf(server.address())}`;
  return { host, url: `http://${host}/hook/secret`, received };
}
