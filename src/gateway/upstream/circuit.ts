import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleResultType } from 'cockatiel';
import type { UpstreamOutcome } from './outcome.js';

/** Failed calls in a row that open the circuit. One success between them starts the count anew. */
const failuresToOpen = 5;

/** How long an open circuit refuses before one call may try again, in milliseconds. */
const openMs = 1_000;

export interface Sent {
  readonly outcome: UpstreamOutcome;
  /** Requests made for the call. */
  readonly tries: number;
}

/** A circuit breaker in front of the service, shared by all callers. */
export interface Circuit {
  /** What sending came to; `circuit_open` where the service is known to be away, without asking it. */
  run(method: string, send: () => Promise<Sent>): Promise<Sent>;
  readonly isOpen: () => boolean;
}

/** A result by which the service is away. */
class Away {
  readonly sent: Sent;

  constructor(sent: Sent) {
    this.sent = sent;
  }
}

/**
 * Only what no caller can bring about opens the circuit: a connection that cannot be made, or that breaks while a read waits.
 * An error status, a slow answer or a connection closed on a body may be the fault of one caller's request, and must not
 * refuse the calls of all others.
 */
export function createCircuit(): Circuit {
  const policy = circuitBreaker(handleResultType(Away), {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(failuresToOpen),
  });
  return {
    async run(method, send) {
      try {
        const result = await policy.execute(async () => {
          const sent = await send();
          return isAway(method, sent.outcome) ? new Away(sent) : sent;
        });
        return result instanceof Away ? result.sent : result;
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        return { outcome: { kind: 'circuit_open', retryAfterSeconds: openMs / 1_000 }, tries: 0 };
      }
    },
    isOpen: () => policy.state === CircuitState.Open,
  };
}

function isAway(method: string, { kind }: UpstreamOutcome): boolean {
  return kind === 'unreachable' || (kind === 'broken' && method === 'GET');
}
