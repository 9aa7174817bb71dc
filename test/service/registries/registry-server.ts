import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { portOf } from '../../support/upstream.js';

export type Answer = { readonly status: number; readonly body?: string } | 'silence';

/** A registry on this machine: its answers by path, 404 for others; and the paths that were asked for. */
export async function startRegistry(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    const answer = answers[req.url ?? ''] ?? { status: 404 };
    if (answer !== 'silence')
      res.writeHead(answer.status, { location: 'http://127.0.0.1:1/' }).end(answer.body ?? '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, asked };
}

/** The document of a package of npm: the dependencies of each version. */
export function npmList(versions: Readonly<Record<string, Readonly<Record<string, string>>>>): Answer {
  const manifests = Object.entries(versions).map(([version, dependencies]) => [version, { dependencies }]);
  return { status: 200, body: JSON.stringify({ versions: Object.fromEntries(manifests) }) };
}
