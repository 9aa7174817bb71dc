import * as z from 'zod/mini';
import {
  chooseOrganisation,
  signOut as endSession,
  finishSignIn,
  type OrganisationChoice,
  renewSession,
  type SessionExpiry,
  signIn,
  switchOrganisation,
} from '../../client/index.js';
import { client, queryClient, sessionEnded } from './client.js';
import { sessionQuery } from './session.js';

const url = window.location.origin;

/** Where tabs tell each other when the session ends. */
const key = 'postern.session-expires-at';

const ended = 'ended';

/** What the other tabs show is of another organisation from now on. */
const switchedKey = 'postern.switched-at';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Id: where the address has accounts with this password in several. */
  readonly organisation?: string | undefined;
}

/** Signs in by a cookie that no script can read. */
export async function enter(credentials: Credentials): Promise<void> {
  await keep(await signIn({ url, ...credentials }));
}

/** Signs in by what an issuer has sent the browser back with; answers organisations to choose from where there are several. */
export async function enterByIssuer(flow: string, callback: string): Promise<OrganisationChoice | null> {
  const finished = await finishSignIn({ url, flow, callback });
  if ('proof' in finished) return finished;
  await keep(finished);
  return null;
}

export async function enterChosen(proof: string, organisation: string): Promise<void> {
  await keep(await chooseOrganisation({ url, proof, organisation }));
}

async function keep({ expires_at }: SessionExpiry): Promise<void> {
  localStorage.setItem(key, expires_at.toISOString());
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** All that is shown is of the organisation of before: so every tab begins anew. */
export async function switchTo(organisation: string): Promise<never> {
  const { expires_at } = await switchOrganisation({ url, organisation });
  localStorage.setItem(key, expires_at.toISOString());
  localStorage.setItem(switchedKey, new Date().toISOString());
  window.location.assign('/');
  return new Promise(() => {});
}

/** Signs out, at the issuer too where the session began at one that has a page for it: then the browser goes there. */
export async function signOut(): Promise<void> {
  const { logout_url } = await endSession({ url });
  // Another value, so that the other tabs hear of it.
  localStorage.setItem(key, ended);
  if (logout_url === null) return;
  goToPage(logout_url);
  await new Promise(() => {});
}

/** Whether a session of this browser goes on. Without a sign of one nobody is asked. */
export async function isStillSignedIn(): Promise<boolean> {
  const text = localStorage.getItem(key);
  if (text === null || text === ended || new Date(text) <= new Date()) return false;
  try {
    // Not through the cache: its answer to 401 is to come here.
    queryClient.setQueryData(sessionQuery.queryKey, await client.session.get.query());
    return true;
  } catch {
    return false;
  }
}

const checkMs = 30_000;
/** A session that has less than this left is renewed by use. It lives 12 hours. */
const renewMs = 11 * 3_600_000;

/**
 * Renews the session before it ends, as long as somebody uses the page. One tab's renewal serves all, and so does its signing
 * out. Answers a function that ends this.
 */
export function keepSession(): () => void {
  let used = true;
  const use = () => {
    used = true;
  };
  const events = ['pointerdown', 'keydown', 'scroll'] as const;
  for (const event of events) window.addEventListener(event, use, { passive: true });
  const hear = ({ key: changed, newValue }: StorageEvent) => {
    if (changed === key && newValue === ended) sessionEnded.emit();
    if (changed === switchedKey) window.location.assign('/');
  };
  window.addEventListener('storage', hear);
  const renew = async () => {
    const text = localStorage.getItem(key);
    const left = text === null || text === ended ? Number.POSITIVE_INFINITY : new Date(text).getTime() - Date.now();
    if (!used || left > renewMs) return;
    used = false;
    const renewed = await renewSession({ url }).catch(() => null);
    if (renewed !== null) localStorage.setItem(key, renewed.expires_at.toISOString());
  };
  const timer = setInterval(renew, checkMs);
  return () => {
    clearInterval(timer);
    window.removeEventListener('storage', hear);
    for (const event of events) window.removeEventListener(event, use);
  };
}

/** Issuers send browsers back to this path. */
const callbackPath = '/sign-in/callback';

/**
 * The query that an issuer has sent the browser back with. Read before the router is there, which would write some values anew; and once:
 * it has a code.
 */
let cameBackWith = window.location.pathname === callbackPath ? window.location.search : '';

/** What a sign-in that is under way leads to: a session, or a link to the member who is signed in. */
type Purpose = 'sign-in' | 'link';

const begun = z.object({
  flow: z.string(),
  /** The path of this site to go to afterwards. */
  to: z.string().check(z.regex(/^\/(?![/\\])/)),
  purpose: z.enum(['sign-in', 'link']),
});
export type BegunSignIn = z.infer<typeof begun>;

/** Of this tab alone, and by state: what other tabs do is none of its business. */
const keyOf = (state: string) => `postern.sign-in.${state}`;

interface Beginning {
  readonly issuer: string;
  readonly to: string;
  readonly purpose?: Purpose;
  readonly inviteToken?: string | undefined;
}

/** Leaves for the issuer's page. The promise stays open: the browser is about to go. */
export async function leaveForIssuer({ issuer, to, purpose = 'sign-in', inviteToken }: Beginning): Promise<never> {
  const { url, state, flow } = await client.session.beginSignIn.mutate({ issuer, invite_token: inviteToken });
  const kept: BegunSignIn = { flow, to, purpose };
  sessionStorage.setItem(keyOf(state), JSON.stringify(kept));
  goToPage(url);
  return new Promise(() => {});
}

/** Only to web pages: an address such as javascript: would run here. */
function goToPage(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error('this is no web page');
  window.location.assign(url);
}

/** What the browser came back with, and what was begun; null where nothing of this tab was. Answers it once. */
export function takeCallback(): (BegunSignIn & { readonly callback: string }) | null {
  const callback = cameBackWith;
  cameBackWith = '';
  const key = keyOf(new URLSearchParams(callback).get('state') ?? '');
  const { data } = begun.safeParse(parsed(sessionStorage.getItem(key)));
  sessionStorage.removeItem(key);
  return data === undefined ? null : { ...data, callback };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
