import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Environment } from '../../env.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { error, type Finding, ok } from './finding.js';

/** Milliseconds for an answer of what runs already. */
const patienceMs = 5_000;

/** Whether a start could listen at HOST and PORT, or a Postern does so already. */
export async function checkPort({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(PORT, HOST);
    await once(server, 'listening');
    return ok('port', `port ${PORT} of ${HOST} is free`);
  } catch (failure) {
    const code = codeOfError(failure);
    if (code === 'EACCES') return error('port', `PORT: this user may not listen on ${PORT}: choose one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      return error('port', `HOST: this machine has no address ${HOST}`);
    if (code !== 'EADDRINUSE') return error('port', `nothing can listen on port ${PORT} of ${HOST} (${code})`);
    const isOurs = await isPostern(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`);
    return isOurs
      ? ok('port', `a Postern serves on port ${PORT}`)
      : error('port', `port ${PORT} is in use by another program: stop it, or set PORT`);
  } finally {
    server.close();
  }
}

async function isPostern(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/mcp/health`, { signal: AbortSignal.timeout(patienceMs), redirect: 'error' });
    return answer.ok && (await answer.text()) === 'ok';
  } catch {
    return false;
  }
}
