import { validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { HttpError } from './http-errors.js';

/** What a page of another origin may read of an answer's header, beside what any page may (Fetch, 3.2.2). */
const exposedHeaders = [
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
  ...['Content-Disposition', 'Mcp-Session-Id', 'MCP-Protocol-Version'],
].join(', ');

/** What it may send. Each is named: `*` does not cover Authorization (Fetch, 3.2.2). */
const requestHeaders = [
  ...[
    'Authorization',
    'X-Service-Key',
    'X-Organisation',
    'Content-Type',
    'Content-Encoding',
    'X-Request-Id',
    'traceparent',
    'tracestate',
  ],
  ...[
    'trpc-accept',
    'X-MCP-Toolsets',
    'X-MCP-Readonly',
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
    'Last-Event-ID',
  ],
].join(', ');

const preflightHeaders = new Map([
  ['access-control-allow-methods', 'GET, POST, DELETE'],
  ['access-control-allow-headers', requestHeaders],
  // Seconds. Chromium keeps an answer for no longer than this.
  ['access-control-max-age', '7200'],
]);

const refusal = 'pages of this origin may not call: ALLOWED_ORIGINS names those of other sites that may';

/**
 * Lets pages of these origins call (CORS), with a credential that the page itself holds; of any origin, where an answer
 * is public. It never allows credentials of the browser: a session's cookie is for pages of this server. No answer is
 * stored (`no-store`), so none needs `Vary`. What other origins send in advance is refused (403).
 */
export function crossOrigin(allowed: ReadonlySet<string> | 'any'): RequestHandler {
  return ({ method, headers }, res, next) => {
    const { origin } = headers;
    const isAllowed = origin !== undefined && (allowed === 'any' || allowed.has(origin));
    if (isAllowed) {
      const shown = allowed === 'any' ? '*' : origin;
      res.set({ 'access-control-allow-origin': shown, 'access-control-expose-headers': exposedHeaders });
    }
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return next();
    if (!isAllowed) return next(new HttpError(403, refusal));
    res.setHeaders(preflightHeaders).status(204).end();
  };
}

/** Whose pages may call. */
export interface Origins {
  /** Host names: those of this server. */
  readonly names: string[];
  /** Origins of other sites. */
  readonly allowed: ReadonlySet<string>;
}

/** Rejects pages of other sites, but the allowed ones. Requests without Origin pass: programs and same-site reads send none. */
export function checkOrigin({ names, allowed }: Origins): RequestHandler {
  return ({ headers: { origin } }, _res, next) => {
    const passes = validateOriginHeader(origin, names).ok || (origin !== undefined && allowed.has(origin));
    next(passes ? undefined : new HttpError(403, refusal));
  };
}
