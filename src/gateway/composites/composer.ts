import type * as z from 'zod';
import type { Composite, Procedure } from '../../procedures/define.js';
import type { UnavailableReason } from '../../procedures/posture.js';

export type Part<Answer> =
  | { readonly answered: true; readonly answer: Answer }
  | { readonly answered: false; readonly reason: UnavailableReason };

/** Resolves where other parts may still answer; rejects where the whole call fails, as without a valid credential. */
export type AskPart = <P extends Procedure>(
  procedure: P,
  input: z.output<P['input']>,
) => Promise<Part<z.output<P['output']>>>;

/**
 * Makes a composite's answer, in code's form and in the order of its schema. Declared as a method, and so bivariant, that
 * one table can hold all composers: each receives only inputs that have passed its own schema.
 */
export type Composer<C extends Composite = Composite> = {
  compose(composition: {
    readonly input: z.output<C['input']>;
    /** The parts asked for share one deadline, which ends before the call's own. */
    readonly ask: AskPart;
  }): Promise<z.output<C['output']>>;
}['compose'];
