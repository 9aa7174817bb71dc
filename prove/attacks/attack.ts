import type { OwaspRow } from '../support/check.js';
import type { Answer } from '../support/http.js';
import type { LocalProof } from '../support/proof.js';

/** What one attack has seen. */
export interface AttackResult {
  /** In words: what was sent and what came back. */
  readonly figures: string;
  readonly faults: readonly string[];
}

/** One caller, or nobody at all, against all others. */
export interface Attack {
  readonly row: OwaspRow;
  readonly name: string;
  /** The only platform on which it can be tried. */
  readonly platform?: NodeJS.Platform;
  readonly run: (proof: LocalProof) => Promise<AttackResult>;
}

/** How many answers had each status. */
export function countStatuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} x ${status === 0 ? 'no answer' : status}`).join(', ');
}

/** An attacker may be refused, but must be told when to come again; anything else that the server fails at is a fault. */
export function refusalFaults(answers: readonly Answer[]): string[] {
  const bare = answers.filter(({ status, retryAfter }) => [429, 503].includes(status) && retryAfter === undefined);
  const failed = answers.filter(({ status }) => status === 0 || (status >= 500 && status !== 503));
  return [
    ...(bare.length === 0 ? [] : [`${bare.length} refusals without Retry-After`]),
    ...(failed.length === 0 ? [] : [`${failed.length} of ${answers.length} calls failed: ${countStatuses(failed)}`]),
  ];
}
