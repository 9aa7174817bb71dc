import { TRPCClientError } from '@trpc/client';
import { errorOf } from './errors.js';

/** Where the gateway is, and how it is asked. */
export interface Door {
  /** The gateway's address, as `https://posture.example.com`. Absent or empty: that of the page itself. */
  readonly url?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** An API key or a member token, or a function that gives one for each request. Without one the browser's session counts. */
export type CredentialSource = string | undefined | (() => string | undefined | Promise<string | undefined>);

export function addressOf(url: string | undefined): string {
  return `${(url ?? '').replace(/\/+$/, '')}/trpc`;
}

export async function credentialHeaders(source: CredentialSource): Promise<Record<string, string>> {
  const secret = typeof source === 'function' ? await source() : source;
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The JSON of a successful answer. Throws an error like those of calls. */
export async function readAnswer(answer: Promise<{ readonly status: number; readonly text: string }>): Promise<Answer> {
  const { status, text } = await answer.catch((error: unknown) => {
    throw TRPCClientError.from(error instanceof Error ? error : new Error('no answer'));
  });
  const body = parse(text);
  if (status < 200 || status > 299 || body === undefined) throw errorOf(status, body);
  return { status, body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
