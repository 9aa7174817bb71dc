import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Procedure } from '../../procedures/define.js';
import type { CallerHeaders, ForwardedCaller } from '../../shared/http/forwarded-caller.js';
import type { Deadline } from '../deadline.js';
import { createCircuit, type Sent } from './circuit.js';
import type { UpstreamOutcome } from './outcome.js';
import { answered, failureOf, isJson, outgoingHeaders, readJson, type UpstreamRequest, urlOf } from './request.js';
import { RetryBudget, retryDelayMs } from './retry.js';
import type { ServiceAddress } from './service-address.js';
import { createTransfers, type Transfers } from './transfer.js';

export interface Upstream {
  /** Answers the outcome of the request and the number of tries. Never throws. */
  send(request: UpstreamRequest): Promise<Sent>;
  /** A request whose body or answer is as large as a file: neither is held in memory. */
  readonly transfer: Transfers['transfer'];
  close(): Promise<void>;
  /** For metrics. */
  readonly stats: () => {
    readonly connected: number;
    readonly running: number;
    readonly queued: number;
    readonly circuitOpen: boolean;
  };
}

/** A request to a service of this process. */
interface InProcessRequest {
  readonly procedure: Procedure;
  /** Path and query, encoded. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly from: ForwardedCaller;
  readonly organisation: string | undefined;
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** Answers as the service does over HTTP, and never throws; null for calls that have to go there. */
type CallInProcess = (request: InProcessRequest) => Promise<{
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;
}> | null;

export interface UpstreamOptions {
  readonly address: ServiceAddress;
  /** How the service learns who asks; absent: not at all. */
  readonly callerHeaders?: CallerHeaders;
  /** Sockets to the service, at most. */
  readonly connections?: number;
  readonly maxResponseBytes?: number;
  /** The short way to a service in this process, for the calls that it takes. */
  readonly inProcess?: CallInProcess | undefined;
}

/** The gateway asks for itself. */
const ownRequest: ForwardedCaller = { address: null, userAgent: null, door: 'api' };

const connectTimeoutMs = 3_000;
const keepAliveMs = 4_000;

/** Opens a pool of connections to the one address that every call goes to. */
export function createUpstream({
  address,
  callerHeaders = () => ({}),
  connections = 128,
  maxResponseBytes = 8 * 1024 * 1024,
  inProcess = () => null,
}: UpstreamOptions): Upstream {
  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    // Below the 5 s after which Node servers close an idle socket, so that a request seldom meets a closing one.
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: maxResponseBytes,
    // The call's own deadline bounds both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const budget = new RetryBudget();
  const circuit = createCircuit();
  const transfers = createTransfers({ address, callerHeaders, circuit });

  async function attempt(request: UpstreamRequest): Promise<UpstreamOutcome> {
    const { procedure, parts, credential, requestId, from = ownRequest, organisation, deadline } = request;
    const ended = deadline.endedBy();
    if (ended !== null) return { kind: 'ended', by: ended };
    if (procedure !== undefined) {
      const authorization = credential?.authorization();
      const caller = { authorization, from, organisation, requestId, left: deadline.signal };
      const answer = inProcess({ procedure, url: urlOf(parts), ...caller });
      if (answer !== null) return untilEnded(answer, deadline);
    }
    return callOverHttp(pool, address, request, callerHeaders);
  }

  async function trySend(request: UpstreamRequest): Promise<Sent> {
    budget.deposit();
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(request);
      const waitMs = retryDelayMs({
        method: request.parts.method,
        outcome,
        tries,
        remainingMs: request.deadline.remainingMs(),
        random: Math.random(),
      });
      if (waitMs === null || !budget.withdraw()) return { outcome, tries };
      await delay(waitMs, undefined, { signal: request.deadline.signal }).catch(() => {});
    }
  }

  return {
    send: (request) => circuit.run(request.parts.method, () => trySend(request)),
    transfer: transfers.transfer,
    close: async () => {
      await transfers.close();
      await pool.destroy();
    },
    stats: () => {
      const { connected, running, queued } = pool.stats;
      return { connected, running, queued, circuitOpen: circuit.isOpen() };
    },
  };
}

/** The answer of a call, or that its time or its caller has gone before. */
function untilEnded(answer: NonNullable<ReturnType<CallInProcess>>, deadline: Deadline): Promise<UpstreamOutcome> {
  return new Promise((resolve) => {
    const end = () => resolve({ kind: 'ended', by: deadline.endedBy() ?? 'deadline' });
    deadline.signal.addEventListener('abort', end, { once: true });
    answer.then((answered) => {
      deadline.signal.removeEventListener('abort', end);
      resolve({ kind: 'answered', ...answered });
    });
  });
}

async function callOverHttp(
  pool: Pool,
  { prefix }: ServiceAddress,
  request: UpstreamRequest,
  callerHeaders: CallerHeaders,
): Promise<UpstreamOutcome> {
  const { parts, deadline } = request;
  try {
    const { statusCode, headers, body } = await pool.request({
      method: parts.method,
      path: `${prefix}${urlOf(parts)}`,
      headers: {
        ...outgoingHeaders(request, callerHeaders),
        ...(parts.body !== null && { 'content-type': 'application/json' }),
      },
      body: parts.body,
      signal: deadline.signal,
    });
    if (!isJson(headers['content-type']) || (statusCode >= 300 && statusCode < 400)) {
      await body.dump({ limit: 16_384, signal: deadline.signal });
      if (statusCode >= 400) return answered(statusCode, undefined, headers['retry-after']);
      return { kind: 'unreadable', cause: statusCode >= 300 ? 'redirect' : 'not_json', status: statusCode };
    }
    const content = readJson(await body.text());
    if (content === undefined && statusCode < 400) return { kind: 'unreadable', cause: 'bad_json', status: statusCode };
    return answered(statusCode, content, headers['retry-after']);
  } catch (error) {
    const by = deadline.endedBy();
    return by === null ? failureOf(error) : { kind: 'ended', by };
  }
}
