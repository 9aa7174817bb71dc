import type { UnavailableReason } from '../../procedures/posture.js';
import { type Domain, domains } from '../../procedures/risk.js';
import type { Part } from './composer.js';

interface DomainAnswers<Answer> {
  /** Of the domains that have answered, in their order. */
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
