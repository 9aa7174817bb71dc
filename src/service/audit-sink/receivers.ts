import type { Writable } from 'node:stream';
import { Agent, request } from 'undici';
import { readRetryAfterSeconds } from '../../shared/http/retry-after.js';
import { noConnection } from '../outbound/no-connection.js';

/** What became of some lines that were handed over. */
type Taken = { readonly taken: true } | Refused;

interface Refused {
  readonly taken: false;
  /** Nothing of the address, the token or the lines. */
  readonly reason: string;
  readonly retryAfterSeconds: number | null;
}

/** Where entries go. */
export interface Receiver {
  /** Hands lines over. Throws only when the signal is aborted. */
  send(lines: string, stopping: AbortSignal): Promise<Taken>;
  close(): Promise<void>;
}

interface HttpReceiver {
  readonly url: string;
  readonly token: string | undefined;
  /** From the beginning of an attempt to the answer. */
  readonly timeoutMs?: number;
}

/** An answer's body is read only to reuse the connection. */
const maxAnswerBytes = 16 * 1024;

/** `POST`s lines to the operator's own address, which may be a private one. A redirect is followed nowhere. */
export function httpReceiver({ url, token, timeoutMs = 10_000 }: HttpReceiver): Receiver {
  const agent = new Agent({ connections: 1, connect: { timeout: timeoutMs } });
  const headers = {
    'content-type': 'application/x-ndjson',
    'user-agent': 'postern',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    async send(body, stopping) {
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
      try {
        const answer = await request(url, { method: 'POST', dispatcher: agent, signal, headers, body });
        await answer.body.dump({ limit: maxAnswerBytes, signal }).catch(() => undefined);
        const { statusCode } = answer;
        if (statusCode >= 200 && statusCode < 300) return { taken: true };
        const asked = [answer.headers['retry-after']].flat()[0];
        return refused(`it answered HTTP ${statusCode}`, readRetryAfterSeconds(asked, new Date()));
      } catch (error) {
        stopping.throwIfAborted();
        return refused(signal.aborted ? `no answer within ${timeoutMs / 1_000} s` : noConnection(error));
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Writes lines to a stream. It waits for a reader as long as one takes, with one batch in memory: to write it again would only make the
 * stream's queue longer.
 */
export function streamReceiver(stream: Writable): Receiver {
  // Where the reader is gone, each write says so. Without a listener the process would end.
  const ignore = () => {};
  stream.on('error', ignore);
  return {
    send: (lines, stopping) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(stopping.reason);
        stopping.addEventListener('abort', stop, { once: true });
        stream.write(lines, (error) => {
          stopping.removeEventListener('abort', stop);
          resolve(error == null ? { taken: true } : refused(noConnection(error)));
        });
      }),
    async close() {
      stream.off('error', ignore);
    },
  };
}

function refused(reason: string, retryAfterSeconds: number | null = null): Refused {
  return { taken: false, reason, retryAfterSeconds };
}
