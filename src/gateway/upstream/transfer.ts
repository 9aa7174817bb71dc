import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { CallerHeaders } from '../../shared/http/forwarded-caller.js';
import type { RequestParts } from '../../shared/http/request-parts.js';
import type { Circuit } from './circuit.js';
import type { UpstreamOutcome } from './outcome.js';
import { type Asker, answered, failureOf, isFile, isJson, outgoingHeaders, readJson, urlOf } from './request.js';
import type { ServiceAddress } from './service-address.js';

/** A body on its way to the service. */
export interface TransferBody {
  readonly bytes: Readable;
  /** `content-type`, and `content-length` and `content-encoding` where the caller has sent them. */
  readonly headers: Readonly<Record<string, string>>;
}

interface TransferRequest extends Asker {
  readonly parts: Pick<RequestParts, 'method' | 'path' | 'query'>;
  readonly body: TransferBody | null;
  /** Ends it; the reason says why. */
  readonly signal: AbortSignal;
}

/** An answer that succeeded, and whose body is still to be read; or how else it came out, errors with their body. */
export type TransferOutcome =
  | UpstreamOutcome
  | {
      readonly kind: 'open';
      readonly status: number;
      readonly length: number | null;
      readonly body: Readable;
    };

export interface Transfers {
  /** Begins a transfer. Once; there are no further tries. Throws the reason of the signal where that ended it. */
  transfer(request: TransferRequest): Promise<TransferOutcome>;
  close(): Promise<void>;
}

interface Options {
  readonly address: ServiceAddress;
  readonly callerHeaders: CallerHeaders;
  readonly circuit: Circuit;
}

/** Sockets of their own: a transfer takes as long as its caller's line, and calls must not wait for it. */
const connections = 64;

const connectTimeoutMs = 3_000;

/** Bytes of an error's body; the rest is not looked at. */
const maxErrorBytes = 256 * 1024;

export function createTransfers({ address, callerHeaders, circuit }: Options): Transfers {
  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: 4_000,
    // Who transfers watches that bytes move.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function open(request: TransferRequest): Promise<TransferOutcome> {
    const { parts, body, signal } = request;
    try {
      const answer = await pool.request({
        method: parts.method,
        path: `${address.prefix}${urlOf(parts)}`,
        headers: { ...outgoingHeaders(request, callerHeaders), ...body?.headers },
        body: body?.bytes ?? null,
        signal,
      });
      const { statusCode: status, headers } = answer;
      if (status >= 200 && status < 300 && isFile(headers['content-type'])) {
        const length = Number(headers['content-length'] ?? Number.NaN);
        return { kind: 'open', status, length: Number.isSafeInteger(length) ? length : null, body: answer.body };
      }
      if (status < 400) {
        await answer.body.dump({ limit: maxErrorBytes, signal });
        return { kind: 'unreadable', cause: status >= 300 ? 'redirect' : 'not_json', status };
      }
      const text = isJson(headers['content-type']) ? await textOf(answer.body, maxErrorBytes) : null;
      return answered(status, text === null ? undefined : readJson(text), headers['retry-after']);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failureOf(error);
    }
  }

  return {
    async transfer(request) {
      let outcome: TransferOutcome | undefined;
      const sent = await circuit.run(request.parts.method, async () => {
        outcome = await open(request);
        const known = outcome.kind === 'open' ? answered(outcome.status, undefined, undefined) : outcome;
        return { outcome: known, tries: 1 };
      });
      // Not asked at all where the circuit is open.
      return outcome ?? sent.outcome;
    },
    close: () => pool.destroy(),
  };
}

/** The text of a body; null where it has more bytes. */
export async function textOf(body: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
