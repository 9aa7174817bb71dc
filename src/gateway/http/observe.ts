import type { Logger } from 'pino';
import type { CallWatch } from '../call-record.js';
import type { FacedCaller } from '../caller.js';
import { CallerLeft, GatewayError } from '../errors.js';
import { noWork, type UpstreamWork } from '../upstream/forward.js';

export interface Call extends FacedCaller {
  /** `group.member`, for the log, and to ask whether the caller may call it. */
  readonly path: string;
  /** Ends when the caller leaves. */
  readonly signal: AbortSignal | undefined;
}

/** Runs a call, in a span where calls are traced, then logs and reports what it came to. */
export type Observe = <T>(call: Call, run: (call: Call, work: UpstreamWork) => Promise<T>) => Promise<T>;

export function createObserve({ logger, onCall, traced }: CallWatch & { readonly logger: Logger }): Observe {
  return async (call, run) => {
    const startedAt = performance.now();
    const work = noWork();
    let status = 'ok';
    try {
      if (traced === undefined) return await run(call, work);
      return await traced({ face: call.face, path: call.path, parent: call.trace }, (trace) =>
        run({ ...call, trace }, work),
      );
    } catch (error) {
      status = statusOf(error);
      if (status === 'internal_error') {
        const stack = error instanceof Error ? error.stack : String(error);
        logger.error({ request_id: call.requestId, procedure: call.path, stack }, 'call failed inside the gateway');
      }
      throw error;
    } finally {
      const { upstreamMs, tries, faults } = work;
      const durationMs = performance.now() - startedAt;
      onCall?.({ face: call.face, path: call.path, status, durationMs, upstreamMs, tries, faults });
      logger.info(
        {
          request_id: call.requestId,
          face: call.face,
          procedure: call.path,
          status,
          duration_ms: rounded(durationMs),
          upstream_ms: rounded(upstreamMs),
          tries,
          ...(work.unavailable.length > 0 && { unavailable: work.unavailable }),
          ...(faults.length > 0 && { faults }),
        },
        'call',
      );
    }
  };
}

function statusOf(error: unknown): string {
  if (error instanceof GatewayError) return error.code;
  return error instanceof CallerLeft ? 'caller_left' : 'internal_error';
}

/** Milliseconds with one decimal. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
