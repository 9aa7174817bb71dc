import { type AnyProcedure, isComposite } from '../procedures/define.js';
import { procedures } from '../procedures/index.js';
import { GatewayError } from './errors.js';
import { type ForwardOptions, forward, type UpstreamWork } from './upstream/forward.js';

/** What a service says of a caller, whatever the call asks. */
const ofCaller: ReadonlySet<GatewayError['code']> = new Set([
  'unauthenticated',
  'forbidden',
  'plan_required',
  'rate_limited',
]);

/** A call that has failed here. */
interface FailedHere {
  readonly procedure: AnyProcedure;
  /** `group.member`. */
  readonly path: string;
  /** What the service has been asked for it. */
  readonly work: UpstreamWork;
}

/**
 * The error to answer. Who may not make a call learns that before what is wrong with its input, as at the service. A good input
 * costs nothing more, since the service looks at the caller by itself. For a wrong one it is asked here. Where it does not
 * answer, or does not know the question, the input is what is known to be wrong.
 */
export async function callerFirst(
  error: unknown,
  { procedure, path, work }: FailedHere,
  options: ForwardOptions,
): Promise<unknown> {
  const isOfInput = error instanceof GatewayError && error.code === 'invalid_input' && work.tries === 0;
  if (!isOfInput || procedure.public) return error;
  try {
    await forward(procedures.session.get, isComposite(procedure) ? {} : { procedure: path }, options, work);
    return error;
  } catch (refusal) {
    return refusal instanceof GatewayError && ofCaller.has(refusal.code) ? refusal : error;
  }
}
