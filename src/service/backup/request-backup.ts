import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { problem } from '../../procedures/problem.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { BackupError } from './backup-format.js';

interface RunningService {
  readonly url: string;
  readonly operatorKey: string;
}

/** A service waits for its turn as long as it must; one that goes away ends the connection. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

/** Asks a running service for a backup and gives it to `use`, packed. */
export async function requestBackup<T>(
  { url, operatorKey }: RunningService,
  use: (packed: Readable) => Promise<T>,
): Promise<T> {
  const agent = new Agent(noTimeouts);
  try {
    const { statusCode, body } = await request(`${url.replace(/\/$/, '')}/api/operator/backups`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    if (statusCode === 200) return await use(body);
    if (statusCode === 401)
      throw new BackupError(`the service at ${url} does not take this operator key: set OPERATOR_KEY`);
    const refused = problem.safeParse(await body.json().catch(() => null));
    const reason = refused.success ? (refused.data.detail ?? refused.data.title) : `HTTP ${statusCode}`;
    throw new BackupError(`the service at ${url} refused: ${reason}`);
  } catch (error) {
    const code = codeOfError(error) ?? '';
    if (!/^(?:UND_ERR|ECONN|EPIPE)/.test(code)) throw error;
    throw new BackupError(`the service at ${url} could not be reached, or broke off (${code})`, { cause: error });
  } finally {
    await agent.destroy();
  }
}
