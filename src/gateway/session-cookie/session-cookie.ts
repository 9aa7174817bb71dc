import type { Request, Response } from 'express';
import type { SameOrigin } from './same-origin.js';

/** Over HTTPS. Browsers take this name from HTTPS alone (RFC 6265bis, 4.1.3.1); `__Host-` would need the path `/`. */
const secureName = '__Secure-postern_session';
const plainName = 'postern_session';

/** The one path that the cookie is sent to: a session in a browser is good for no other door. */
const path = '/trpc';

/** Browsers drop a cookie of more than 4,096 bytes, name and attributes included (RFC 6265bis, 5.6), without a word. */
const maxValueBytes = 3_800;

/** Reads and writes the cookie that holds a member's token. Nothing of it is kept here. */
export class SessionCookie {
  readonly #sameOrigin: SameOrigin;

  constructor(sameOrigin: SameOrigin) {
    this.#sameOrigin = sameOrigin;
  }

  /**
   * The token of a request; null where it has none, or more than one of a name: then another host of the domain has set one
   * too, and which of them is ours cannot be told. Over HTTPS the plain name does not count: anybody on the way can set it.
   */
  read(req: Request): string | null {
    const header = req.headers.cookie;
    if (header === undefined) return null;
    const secure = valuesOf(header, secureName);
    const values = secure.length > 0 || this.#sameOrigin.isHttps(req) ? secure : valuesOf(header, plainName);
    const [value, ...others] = values;
    return value === undefined || others.length > 0 ? null : decoded(value);
  }

  /** Whether a token can be kept in a cookie. */
  fits(token: string): boolean {
    return encodeURIComponent(token).length <= maxValueBytes;
  }

  set(req: Request, res: Response, token: string, expiresAt: Date): void {
    const maxAge = Math.max(0, expiresAt.getTime() - Date.now());
    const secure = this.#sameOrigin.isHttps(req);
    res.cookie(secure ? secureName : plainName, token, { path, httpOnly: true, sameSite: 'strict', secure, maxAge });
  }

  /** Removes both cookies, as far as a request of this scheme can. */
  clear(req: Request, res: Response): void {
    const secure = this.#sameOrigin.isHttps(req);
    for (const name of secure ? [secureName, plainName] : [plainName]) {
      res.clearCookie(name, { path, httpOnly: true, sameSite: 'strict', secure });
    }
  }
}

function valuesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
