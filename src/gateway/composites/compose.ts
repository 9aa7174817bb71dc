import * as z from 'zod';
import type { Composite } from '../../procedures/define.js';
import { unavailableReason } from '../../procedures/posture.js';
import { isRecord } from '../../shared/json/is-record.js';
import { GatewayError } from '../errors.js';
import { cleanAnswer } from '../untrusted/clean-answer.js';
import { decode, type ForwardOptions, forward, type UpstreamWork } from '../upstream/forward.js';
import type { AskPart } from './composer.js';
import { composerOf } from './composers.js';

/**
 * Answers a composite from its parts, asked with the caller's own credential and within its deadline. The answer names a
 * part that fails. The call fails as its first part did where every part fails, or where one fails in a way that all
 * would (no valid credential, an unknown project).
 */
export async function compose(
  composite: Composite,
  input: Record<string, unknown>,
  options: ForwardOptions,
  work: UpstreamWork,
): Promise<Record<string, unknown>> {
  /** By part, in the order of asking, so that equal failures are reported alike; null where the part has answered. */
  const failures: (GatewayError | null)[] = [];
  const ask: AskPart = async (procedure, partInput) => {
    const part = failures.push(null) - 1;
    try {
      const body = await forward(procedure, z.encode(procedure.input, partInput), options, work);
      // Cleaned for both transports: a composite cuts texts, and cutting could bare what their markup hides.
      const clean = isRecord(body) ? cleanAnswer(body).value : body;
      return { answered: true, answer: decode(procedure, clean, options.caller, work) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const reason = unavailableReason.safeParse(error.code);
      if (!reason.success) throw error;
      failures[part] = error;
      work.unavailable.push(reason.data);
      return { answered: false, reason: reason.data };
    }
  };
  const answer = await composerOf(composite)({ input, ask });
  const [failure = null] = failures;
  if (failure !== null && !failures.includes(null)) throw failure;
  return answer;
}
