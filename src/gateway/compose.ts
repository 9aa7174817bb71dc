import * as z from 'zod';
import { type AskPart, type Composite, unavailableReason } from '../procedures/define.js';
import { GatewayError } from './errors.js';
import { decode, type ForwardOptions, forward, type UpstreamWork } from './forward.js';
import { cleanValue } from './untrusted-text.js';

/**
 * Answers a composite (in wire form) from its parts, asked with the caller's own credential and within its deadline. A
 * part that fails is the composite's to name; where every part fails, or one in a way that another would too (no valid
 * credential, an unknown project), the call fails as that part did.
 */
export async function compose(
  composite: Composite,
  input: Record<string, unknown>,
  options: ForwardOptions,
  work: UpstreamWork,
): Promise<unknown> {
  /** By part, in the order of asking, so that equal failures are told alike; null where the part has answered. */
  const failures: (GatewayError | null)[] = [];
  const ask: AskPart = async (procedure, partInput) => {
    const part = failures.push(null) - 1;
    try {
      const body = await forward(procedure, z.encode(procedure.input, partInput), options, work);
      // For both doors: a composite cuts texts, and cutting could bare what their markup hides.
      return { answered: true, answer: decode(procedure, cleanValue(body), options.caller) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const reason = unavailableReason.safeParse(error.code);
      if (!reason.success) throw error;
      failures[part] = error;
      work.unavailable.push(reason.data);
      return { answered: false, reason: reason.data };
    }
  };
  const answer = await composite.compose({ input, ask });
  const [failure = null] = failures;
  if (failure !== null && !failures.includes(null)) throw failure;
  return z.encode(composite.output, answer);
}
