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
import { client, queryClient } from './client.js';
import { goToPage } from './issuer-sign-in.js';
import { sessionQuery } from './session.js';
import { sessionEnded } from './session-ended.js';

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
