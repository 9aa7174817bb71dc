import * as z from 'zod/mini';
import { client } from './client.js';

/** Where issuers send browsers back to. */
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
  /** Where to go afterwards: a path of this site. */
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
export function goToPage(url: string): void {
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
