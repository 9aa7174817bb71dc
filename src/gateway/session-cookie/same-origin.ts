import type { Request, RequestHandler } from 'express';
import { HttpError } from '../http/http-errors.js';
import { hostOf } from '../http/request-checks.js';

/**
 * Whether a request comes from a page of this server's own. A cookie is sent by the browser, whoever caused the request, so
 * what the browser says of its cause decides (Fetch Metadata; Fetch, 3.2, on `Origin`). No token in a form is needed then.
 */
export class SameOrigin {
  readonly #publicOrigin: string | null;

  /** @param publicUrl the address at which browsers know the server, where a proxy hides it */
  constructor(publicUrl: string | undefined) {
    this.#publicOrigin = publicUrl === undefined ? null : new URL(publicUrl).origin;
  }

  /** Whether the browser speaks HTTPS, as a trusted proxy or the public address says. */
  isHttps(req: Request): boolean {
    const { origin } = req.headers;
    const origins = this.#originsOf(req);
    const from = origin !== undefined && origins.includes(origin) ? origin : origins[0];
    return from?.startsWith('https:') === true;
  }

  /** Why the request is refused; null where it may use a cookie. */
  refusalOf(req: Request): string | null {
    const { origin, 'sec-fetch-site': site } = req.headers;
    if (site !== undefined && site !== 'same-origin') return 'a session cookie is for pages of this server alone';
    if (origin !== undefined && !this.#originsOf(req).includes(origin))
      return 'a session cookie is for pages of this very origin (if a proxy hides it, set PUBLIC_URL)';
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead && site === undefined && origin === undefined)
      return 'with a session cookie this needs an Origin or Sec-Fetch-Site header: programs send Authorization instead';
    return null;
  }

  /** Refuses (403) what no page of this server has caused. */
  readonly require: RequestHandler = (req, _res, next) => {
    const refusal = this.refusalOf(req);
    next(refusal === null ? undefined : new HttpError(403, refusal));
  };

  /** The origins that a page may have which this request is for; the most certain first. */
  #originsOf(req: Request): readonly string[] {
    const host = hostOf(req) ?? '';
    const direct = originAt(req.protocol, host);
    const known = this.#publicOrigin;
    if (known === null) return direct === null ? [] : [direct];
    // The proxy has kept the name: so the scheme is the public one too, though this server sees plain HTTP.
    if (originAt(new URL(known).protocol.slice(0, -1), host) === known) return [known];
    return direct === null ? [known] : [direct, known];
  }
}

function originAt(scheme: string, host: string): string | null {
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}
