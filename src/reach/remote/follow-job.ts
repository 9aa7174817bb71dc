import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { uploadJob } from '../../procedures/uploads.js';
import { type RequestParts, toRequest } from '../../shared/http/request-parts.js';
import type { Answer } from './request-rejected.js';

type Job = z.output<typeof uploadJob>;

/** Milliseconds between two questions. */
const everyMs = 1000;

/** Questions in a row that may fail: a service that restarts is back by then. */
const maxFailures = 10;

interface Following {
  readonly send: (parts: RequestParts) => Promise<Answer>;
  readonly progress?: ((step: string) => void) | undefined;
}

/**
 * The final answer to a request: its own, or that of the job with which a service has accepted a large upload (202). The job is
 * asked for at the address that the API has for it, not at the one that the answer names.
 */
export async function followJob(answer: Answer, { send, progress }: Following): Promise<Answer> {
  const accepted = answer.status === 202 ? uploadJob.safeParse(answer.json).data : undefined;
  if (accepted === undefined) return answer;
  const { project_id, id: upload_id } = accepted;
  const question = toRequest(procedures.uploads.get, { project_id, upload_id });
  let job = accepted;
  let failures = 0;
  while (job.state === 'queued' || job.state === 'running') {
    progress?.(progressText(job));
    await delay(everyMs);
    const asked = await send(question).catch((error: unknown) => {
      if (failures >= maxFailures) throw error;
      return undefined;
    });
    const { data } = uploadJob.safeParse(asked?.json);
    if (data !== undefined) [job, failures] = [data, 0];
    else if (asked !== undefined && !isPassing(asked)) return asked;
    else failures += 1;
    if (failures > maxFailures && asked !== undefined) return asked;
  }
  return job.problem === null
    ? { status: 200, retryAfter: undefined, json: job.answer }
    : { status: job.problem.status, retryAfter: undefined, json: job.problem };
}

function isPassing({ status }: Answer): boolean {
  return status === 429 || status >= 500;
}

function progressText({ phase, done, of }: Job): string {
  return phase === 'waiting'
    ? 'the upload waits for its turn'
    : `the service is ${phase} the upload (${done} of ${of})`;
}
