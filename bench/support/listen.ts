import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Starts a server on a free port of 127.0.0.1. */
export async function listen(listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}
