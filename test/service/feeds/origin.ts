import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Origin {
  readonly url: string;
  /** The headers of each request so far. */
  readonly requests: readonly IncomingHttpHeaders[];
}

/** A web server on this machine that answers as the test says, and closes when it ends. */
export async function startOrigin(answer: RequestListener): Promise<Origin> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    requests.push(req.headers);
    answer(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the origin listens on no port');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}
