import { once } from 'node:events';
import { createServer } from 'node:http';

/** Receivers of webhooks on one port of this machine. Those under `/hang` never answer; the others say that all is well. */
export interface Receivers {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly close: () => void;
}

export async function startReceivers(): Promise<Receivers> {
  const server = createServer((req, res) => {
    req.resume();
    if (req.url?.startsWith('/hang') !== true) req.on('end', () => res.end('ok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port for receivers');
  return {
    host: `127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
