import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Recorded {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What the server answers: a body that is no text goes as JSON. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server on 127.0.0.1 that records what it gets and answers as told, one answer after the other, the last for good. */
export async function recordingService(
  ...answers: readonly ScriptedAnswer[]
): Promise<{ url: string; received: Recorded[] }> {
  const received: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const { status, headers: extra, body } = answers[received.length] ?? answers.at(-1) ?? { status: 500 };
    const sent = Buffer.concat(chunks).toString('utf8');
    received.push({ method, url, headers, body: sent === '' ? undefined : JSON.parse(sent) });
    response.writeHead(status, {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      ...extra,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  return { url: `http://127.0.0.1:${address.port}`, received };
}
