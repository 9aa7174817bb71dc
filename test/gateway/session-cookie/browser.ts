import { at } from '../../support/at.js';

/** An answer as a page or a test sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The Set-Cookie fields. */
  readonly cookies: readonly string[];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Sends a request with these headers and no others of its own, as a browser may have composed them. */
export async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status } = response;
  const cookies = response.headers.getSetCookie();
  return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text), cookies };
}

/** The value of a tRPC error's field, as `failure` or `fields.0.field`. */
export const errorAt = (body: unknown, field: string) => at(body, `error.json.data.${field}`);

/** A Set-Cookie field as what a browser sends back, and its attributes. */
export function readCookie(field: string | undefined): { readonly pair: string; readonly attributes: string[] } {
  const [pair = '', ...attributes] = (field ?? '').split('; ');
  // Express says the end twice; `Max-Age` wins (RFC 6265, 5.3).
  return { pair, attributes: attributes.filter((each) => !each.startsWith('Expires=')).sort() };
}
