import { addressOf, type Door, readAnswer } from './door.js';
import { fieldOf, isPosternError } from './errors.js';

// The session of a page: a cookie that no script can read. For pages of the gateway's own origin.

export interface SessionExpiry {
  /** When the session ends unless it is renewed. */
  readonly expires_at: Date;
}

/**
 * Signs in; from then on calls without a credential are the member's. Throws `PosternError`: `unauthenticated`, `rate_limited`, ..., or
 * `conflict` with the reason `several_organisations`, whose `data.likely` are those of which one has to be named.
 */
export async function signIn({
  email,
  password,
  organisation,
  ...door
}: Door & {
  readonly email: string;
  readonly password: string;
  /** Id. */
  readonly organisation?: string | undefined;
}): Promise<SessionExpiry> {
  return expiryOf(await ask(door, 'POST', '', { email, password, organisation }));
}

/** The organisations of a person who has signed in at an issuer, for the person to choose from. */
export interface OrganisationChoice {
  readonly organisations: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  /** For `chooseOrganisation`, within five minutes. */
  readonly proof: string;
}

/**
 * Signs in by what an issuer has sent the browser back with: the `flow` of `session.beginSignIn`, and the query of the page's address.
 * Throws `PosternError`: `unauthenticated` with a reason where the person has no account, `unavailable`, ...
 */
export async function finishSignIn({
  flow,
  callback,
  ...door
}: Door & { readonly flow: string; readonly callback: string }): Promise<SessionExpiry | OrganisationChoice> {
  const answer = await ask(door, 'POST', '/sign-in', { flow, callback });
  const choice = fieldOf(answer, 'choice');
  return isChoice(choice) ? choice : expiryOf(answer);
}

/** Signs in to one of several organisations. */
export async function chooseOrganisation({
  proof,
  organisation,
  ...door
}: Door & { readonly proof: string; readonly organisation: string }): Promise<SessionExpiry> {
  return expiryOf(await ask(door, 'POST', '/sign-in/organisation', { proof, organisation }));
}

/** A session in another of the person's organisations (`session.listOrganisations`), in place of this one. */
export async function switchOrganisation({
  organisation,
  ...door
}: Door & { readonly organisation: string }): Promise<SessionExpiry> {
  return expiryOf(await ask(door, 'POST', '/switch', { organisation }));
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

export interface SignedOut {
  /** False where there was no session any more. */
  readonly ended: boolean;
  /** Where the session began at an issuer that has one: its page, which ends the sign-in there too. */
  readonly logout_url: string | null;
}

/** Ends the session and removes its cookie. */
export async function signOut(door: Door = {}): Promise<SignedOut> {
  const answer = await ask(door, 'DELETE', '');
  const url = fieldOf(answer, 'logout_url');
  return { ended: fieldOf(answer, 'ended') === true, logout_url: typeof url === 'string' ? url : null };
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

function isChoice(value: unknown): value is OrganisationChoice {
  return Array.isArray(fieldOf(value, 'organisations')) && typeof fieldOf(value, 'proof') === 'string';
}
