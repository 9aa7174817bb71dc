import { addressOf, type Door, readAnswer } from './door.js';
import { fieldOf, isPosternError } from './errors.js';

// The session of a page: a cookie that no script can read. For pages of the gateway's own origin.

export interface SessionExpiry {
  /** When the session ends unless it is renewed. */
  readonly expires_at: Date;
}

/** Signs in; from then on calls without a credential are the member's. Throws `PosternError`: `unauthenticated`, `rate_limited`, ... */
export async function signIn({
  email,
  password,
  ...door
}: Door & { readonly email: string; readonly password: string }): Promise<SessionExpiry> {
  return expiryOf(await ask(door, 'POST', '', { email, password }));
}

/**
 * Moves the end of the session on, twelve hours at a time, to seven days after signing in. Null where the service behind the
 * gateway has no renewal. Throws `PosternError`: `unauthenticated` where the session has ended.
 */
export async function renewSession(door: Door = {}): Promise<SessionExpiry | null> {
  try {
    return expiryOf(await ask(door, 'POST', '/renewal'));
  } catch (error) {
    if (isPosternError(error) && error.data.failure === 'not_found') return null;
    throw error;
  }
}

/** Ends the session and removes its cookie. `ended` is false where there was none any more. */
export async function signOut(door: Door = {}): Promise<{ readonly ended: boolean }> {
  return { ended: fieldOf(await ask(door, 'DELETE', ''), 'ended') === true };
}

async function ask({ url, fetch = globalThis.fetch }: Door, method: string, path: string, given?: unknown) {
  const sent = fetch(`${addressOf(url)}/session-cookie${path}`, {
    method,
    ...(given !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) }),
  });
  const text = async (response: Response) => ({ status: response.status, text: await response.text() });
  const { body } = await readAnswer(sent.then(text));
  return body;
}

function expiryOf(answer: unknown): SessionExpiry {
  return { expires_at: new Date(String(fieldOf(answer, 'expires_at'))) };
}
