import { problem } from '../../procedures/problem.js';
import { passwordReset } from './password-reset-answer.js';
import type { Account } from './reset-password.js';

interface RunningService {
  readonly url: string;
  readonly operatorKey: string;
}

/** Milliseconds. */
const timeoutMs = 30_000;

/** Asks a running service for a token. The error's message is the service's code, or what to do. */
export async function requestPasswordReset({ url, operatorKey }: RunningService, account: Account) {
  const response = await fetch(`${url.replace(/\/$/, '')}/api/operator/password-resets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(account),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body: unknown = await response.json().catch(() => null);
  const reset = passwordReset.safeParse(body);
  if (response.ok && reset.success) return reset.data;
  if (response.status === 401)
    throw new Error(`the service at ${url} does not take this operator key: set OPERATOR_KEY`);
  const refused = problem.safeParse(body);
  if (refused.success) throw new Error(refused.data.errors?.[0]?.message ?? refused.data.code);
  throw new Error(`the service at ${url} answered ${response.status} and no token`);
}
