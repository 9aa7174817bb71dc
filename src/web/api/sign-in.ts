import { signOut as endSession, renewSession, signIn } from '../../client/index.js';
import { client, queryClient } from './client.js';
import { sessionQuery } from './session.js';
import { sessionEnded } from './session-ended.js';

const url = window.location.origin;

/** Where tabs tell each other when the session ends. */
const key = 'postern.session-expires-at';

const ended = 'ended';

/** Signs in by a cookie that no script can read. */
export async function enter(email: string, password: string): Promise<void> {
  const { expires_at } = await signIn({ url, email, password });
  localStorage.setItem(key, expires_at.toISOString());
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export async function signOut(): Promise<void> {
  await endSession({ url });
  // Another value, so that the other tabs hear of it.
  localStorage.setItem(key, ended);
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
