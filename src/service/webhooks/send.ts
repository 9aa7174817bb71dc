import { Webhook } from 'standardwebhooks';
import { type Agent, type Dispatcher, request } from 'undici';
import type { WebhookKind } from '../../procedures/webhooks.js';
import { readRetryAfterSeconds } from '../../shared/http/retry-after.js';
import { notification } from '../events/domain-event.js';
import { ForbiddenAddressError } from '../outbound/guarded-agent.js';
import { noConnection } from '../outbound/no-connection.js';
import { receivers } from './receivers/index.js';
import { printSigningKey } from './secret.js';

/** A notification to send, and its receiver. */
export interface Outgoing {
  /** The same in every attempt, so that a receiver can recognise a repetition. */
  readonly id: string;
  readonly kind: WebhookKind;
  readonly url: string;
  /** Signing key of a generic webhook. */
  readonly secret: Buffer | null;
  /** The notification, as the outbox keeps it. */
  readonly payload: unknown;
}

export type Sent =
  | { readonly outcome: 'delivered' }
  /** The receiver no longer exists (410), or takes no mail. */
  | { readonly outcome: 'gone'; readonly error: string }
  | {
      readonly outcome: 'failed';
      readonly error: string;
      readonly retryAfterSeconds: number | null;
      /** It has taken the whole time of an attempt. */
      readonly hung: boolean;
    };

/** An answer's body is read only to reuse the connection. */
const maxAnswerBytes = 16 * 1024;

/** Sends a notification once. Never throws. The error text holds nothing of the address, the answer or the payload. */
export async function send(
  outgoing: Outgoing,
  dispatcher: Agent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<Sent> {
  const { data: payload } = notification.safeParse(outgoing.payload);
  if (payload === undefined) return failed('this version cannot read the notification');
  const body = JSON.stringify(receivers[outgoing.kind].body(payload));
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
  try {
    // `request` follows no redirect. A redirect could lead to any address, so it counts as a failure.
    const answer = await request(outgoing.url, {
      method: 'POST',
      dispatcher,
      signal,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'postern',
        ...signatureHeaders(outgoing, body, new Date()),
      },
      body,
    });
    await answer.body.dump({ limit: maxAnswerBytes, signal }).catch(() => undefined);
    return sentOf(answer);
  } catch (error) {
    return signal.aborted
      ? { ...failed(`no answer within ${timeoutMs / 1_000} s`), hung: true }
      : failed(reasonOf(error));
  }
}

/** Standard Webhooks: the signature covers the id, the time of the attempt and the body. */
function signatureHeaders({ id, secret }: Outgoing, body: string, now: Date): Record<string, string> {
  if (secret === null) return {};
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(printSigningKey(secret)).sign(id, now, body),
  };
}

function sentOf({ statusCode, headers }: Dispatcher.ResponseData): Sent {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered' };
  const error = `the receiver answered HTTP ${statusCode}`;
  if (statusCode === 410) return { outcome: 'gone', error };
  if (statusCode >= 300 && statusCode < 400) return failed(`${error}: redirects are not followed`);
  const asked = statusCode === 429 || statusCode === 503 ? [headers['retry-after']].flat()[0] : undefined;
  return failed(error, readRetryAfterSeconds(asked, new Date()));
}

function failed(error: string, retryAfterSeconds: number | null = null) {
  return { outcome: 'failed', error, retryAfterSeconds, hung: false } as const;
}

function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenAddressError) {
    return 'refused: the address leads to a private, loopback, link-local or metadata address';
  }
  return noConnection(error);
}
