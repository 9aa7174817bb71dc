import { signOut as endSession, renewSession, signIn } from '../../client/index.js';
import { queryClient } from './client.js';
import { sessionQuery } from './session.js';

const url = window.location.origin;

/** Where tabs tell each other when the session ends. */
const key = 'postern.session-expires-at';

/** Signs in by a cookie that no script can read. */
export async function enter(email: string, password: string): Promise<void> {
  const { expires_at } = await signIn({ url, email, password });
  localStorage.setItem(key, expires_at.toISOString());
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export async function signOut(): Promise<void> {
  await endSession({ url });
  localStorage.removeItem(key);
}

const checkMs = 30_000;
/** The last part of a session in which use renews it. */
const renewMs = 20 * 60_000;

/** Renews the session shortly before it ends, as long as somebody uses the page. One tab's renewal serves all. */
export function renewWhileUsed(): () => void {
  let used = true;
  const use = () => {
    used = true;
  };
  const events = ['pointerdown', 'keydown', 'scroll'] as const;
  for (const event of events) window.addEventListener(event, use, { passive: true });
  const renew = async () => {
    const text = localStorage.getItem(key);
    const left = text === null ? Number.POSITIVE_INFINITY : new Date(text).getTime() - Date.now();
    if (!used || left > renewMs) return;
    used = false;
    const renewed = await renewSession({ url }).catch(() => null);
    if (renewed !== null) localStorage.setItem(key, renewed.expires_at.toISOString());
  };
  const timer = setInterval(renew, checkMs);
  return () => {
    clearInterval(timer);
    for (const event of events) window.removeEventListener(event, use);
  };
}
