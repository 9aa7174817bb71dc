import type { Database, Tenant, Transaction } from '../db/database.js';
import type { LandingProject } from '../landing/change-set.js';
import { ChangeSetLanding, type Landing } from '../landing/landing.js';
import { landInOneTransaction } from '../landing/one-transaction.js';
import { type Answer, type Performed, wireAnswer } from './answer.js';
import { AnsweredBefore, type IdempotentRequest, storedAnswer } from './idempotency.js';

interface LandingRequest {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly project: LandingProject;
  readonly keyed: IdempotentRequest | null;
  readonly once: (tx: Transaction, run: () => Promise<unknown>) => Promise<Performed>;
  /** It may fit into one transaction, which is tried first. */
  readonly isSmall: boolean;
}

type Write = (landing: Landing<Answer>) => Promise<unknown>;

/**
 * Writes a report or a stack, in one transaction if that is short, and else in many. Its answer is encoded and kept in the
 * last one.
 */
export async function land(request: LandingRequest, write: Write): Promise<Performed> {
  const { database, tenant, project, keyed, isSmall } = request;
  const earlier = keyed && (await database.tenant(tenant, (tx) => storedAnswer(tx, keyed, new Date())));
  if (earlier) return { answer: earlier, replayed: true };
  try {
    const answeringOnce = (landing: Landing<Answer>) => write(answered(landing, request));
    const atOnce = isSmall ? await landInOneTransaction(database, project, tenant, answeringOnce) : undefined;
    const answer = atOnce === undefined ? await landInSteps(request, answeringOnce) : atOnce.answer;
    return { answer: wireAnswer.parse(answer), replayed: false };
  } catch (error) {
    if (error instanceof AnsweredBefore) return { answer: error.answer, replayed: true };
    throw error;
  }
}

async function landInSteps({ database, tenant, project }: LandingRequest, write: Write): Promise<unknown> {
  const landing = new ChangeSetLanding<Answer>(database, project, tenant);
  try {
    return await write(landing);
  } finally {
    await landing.close();
  }
}

function answered(landing: Landing<Answer>, { once }: LandingRequest): Landing<Answer> {
  return {
    step: (work) => landing.step(work),
    finish: (work) =>
      landing.finish(async (tx) => {
        const { answer, replayed } = await once(tx, () => work(tx));
        // The same request has landed meanwhile: this one leaves nothing.
        if (replayed) throw new AnsweredBefore(answer);
        return answer;
      }),
  };
}
