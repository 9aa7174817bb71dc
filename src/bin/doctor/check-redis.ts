import { createClient } from '@redis/client';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { error, type Finding, ok, warning } from './finding.js';

/** Milliseconds for the connection, and then for the answer. */
const patienceMs = 5_000;

/** The oldest that tests have run on. */
const oldestMajor = 7;

/** Whether the Redis of REDIS_URL answers, and which one it is. No message of the client is repeated: it may have the URL. */
export async function checkRedis(url: string): Promise<Finding> {
  let client: ReturnType<typeof createClient> | undefined;
  try {
    client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: patienceMs, socketTimeout: patienceMs, reconnectStrategy: false },
    });
    // What is wrong comes as a rejection too.
    client.on('error', () => undefined);
    await client.connect();
    return judgeRedis(await client.info('server'));
  } catch (failure) {
    return findingOf(failure);
  } finally {
    if (client?.isOpen) client.destroy();
  }
}

/** @param info what `INFO server` answers: lines of `name:value` */
export function judgeRedis(info: string): Finding {
  const version = /^redis_version:([\d.]+)/m.exec(info)?.[1];
  if (version === undefined) return warning('redis', 'REDIS_URL: it answers, and does not say its version');
  if (Number(version.split('.')[0]) < oldestMajor) {
    return warning('redis', `REDIS_URL: Redis ${version} answers, and only ${oldestMajor} and newer were tried`);
  }
  return ok('redis', `Redis ${version} answers`);
}

function findingOf(failure: unknown): Finding {
  const text = failure instanceof Error ? failure.message : '';
  if (/^(?:NOAUTH|WRONGPASS)\b/.test(text)) return error('redis', 'REDIS_URL: it refuses the user or password');
  if (/^NOPERM\b/.test(text)) return warning('redis', 'REDIS_URL: it answers, but its user may not ask its version');
  const cause = codeOfError(failure) ?? 'no answer in 5 s';
  return error('redis', `REDIS_URL: no Redis answers there (${cause}); each instance counts alone`);
}
