/** The session in a cookie that no script can read. For pages that the gateway itself serves, or that share its origin. */

interface At {
  /** The gateway's address. */
  readonly url: string;
}

export interface SessionExpiry {
  readonly expires_at: Date;
}

export async function signIn({
  url,
  ...credentials
}: At & { readonly email: string; readonly password: string }): Promise<SessionExpiry> {
  return expiryOf(await send(url, '', 'POST', credentials));
}

export async function renewSession({ url }: At): Promise<SessionExpiry> {
  return expiryOf(await send(url, '/renewal', 'POST', {}));
}

export async function signOut({ url }: At): Promise<void> {
  await send(url, '', 'DELETE', {});
}

async function send(url: string, path: string, method: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}/trpc/session-cookie${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

function expiryOf(answer: unknown): SessionExpiry {
  if (typeof answer !== 'object' || answer === null || !('expires_at' in answer)) throw new Error('no expires_at');
  return { expires_at: new Date(String(answer.expires_at)) };
}
