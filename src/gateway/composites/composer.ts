import type * as z from 'zod';
import type { Composite, Procedure } from '../../procedures/define.js';
import type { UnavailableReason } from '../../procedures/posture.js';
import { type Domain, domains } from '../../procedures/risk.js';

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

interface DomainAnswers<Answer> {
  /** The answers of the domains that have answered, in their order. */
  readonly answers: readonly Answer[];
  /** Something of each domain's answer; null for a domain that has not answered. */
  readonly byDomain: <T>(read: (answer: Answer) => T) => Record<Domain, T | null>;
  readonly unavailable: { readonly domain: Domain; readonly reason: UnavailableReason }[];
}

export async function askDomains<Answer>(
  ask: (domain: Domain) => Promise<Part<Answer>>,
): Promise<DomainAnswers<Answer>> {
  const [dependencies, code, running_app, containers] = await Promise.all([
    ask('dependencies'),
    ask('code'),
    ask('running_app'),
    ask('containers'),
  ]);
  const parts = { dependencies, code, running_app, containers };
  return {
    answers: domains.flatMap((domain) => (parts[domain].answered ? [parts[domain].answer] : [])),
    byDomain: (read) => {
      const readPart = (part: Part<Answer>) => (part.answered ? read(part.answer) : null);
      return {
        dependencies: readPart(dependencies),
        code: readPart(code),
        running_app: readPart(running_app),
        containers: readPart(containers),
      };
    },
    unavailable: domains.flatMap((domain) =>
      parts[domain].answered ? [] : [{ domain, reason: parts[domain].reason }],
    ),
  };
}
