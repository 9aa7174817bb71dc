import type { CustomFetch } from 'openid-client';
import { type Dispatcher, request } from 'undici';
import { IssuerUnreachable } from '../auth/issuer-keys.js';

/** What a real issuer answers has a few kB. */
const maxBytes = 256 * 1024;

/** `Response` takes no body with these. */
const withoutBody: readonly number[] = [204, 205, 304];

/**
 * Asks an issuer for small answers that come soon. Redirects are not followed: they could lead anywhere.
 * Throws `IssuerUnreachable` for all that is no answer, an issuer's own failure included.
 */
export function issuerFetch(dispatcher: Dispatcher, timeoutMs: number): CustomFetch {
  return async (url, { method, headers, body }) => {
    try {
      const answer = await request(url, {
        ...{ method, dispatcher, headers, signal: AbortSignal.timeout(timeoutMs) },
        ...(body !== null && body !== undefined && { body: textOf(body) }),
      });
      if (answer.statusCode >= 500) throw new IssuerUnreachable();
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const part of answer.body) {
        bytes += part.byteLength;
        if (bytes > maxBytes) throw new IssuerUnreachable();
        parts.push(part);
      }
      const { statusCode: status } = answer;
      return new Response(withoutBody.includes(status) ? null : Buffer.concat(parts), {
        ...{ status, headers: headersOf(answer.headers) },
      });
    } catch {
      throw new IssuerUnreachable();
    }
  };
}

/** Of a request to an issuer: a form. */
function textOf(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('an issuer is sent forms alone');
}

function headersOf(headers: Dispatcher.ResponseData['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
}
