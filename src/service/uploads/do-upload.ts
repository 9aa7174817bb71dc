import { readFile } from 'node:fs/promises';
import type { Answer } from '../api/answer.js';
import { type Bound, perform, readInput } from '../api/perform.js';
import type { Database, Transaction } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import { readBody } from '../http/body.js';
import { describeFailure } from '../http/describe-failure.js';
import { apiErrorOf } from '../http/problem-answer.js';
import { finishUpload } from './job-rows.js';
import type { UploadReport, UploadStep, UploadTask } from './messages.js';

/** The steps of an upload, for its progress. */
const steps = { reading: 0, checking: 1, writing: 2 } as const;
export const stepCount = 3;

/** Does one upload in a process of its own, as the main thread does a small one. Never throws. */
export async function doUpload(
  database: Database,
  bound: Bound,
  task: UploadTask,
  report: (message: UploadReport) => void,
): Promise<void> {
  const begin = (phase: keyof typeof steps) => {
    const step: UploadStep = { phase, done: steps[phase], of: stepCount };
    report({ kind: 'progress', ...step });
  };
  try {
    begin('reading');
    const read = await inputOf(bound, task, () => begin('checking'));
    begin('writing');
    const { organisationId } = task.request.caller;
    const finish = (tx: Transaction, answer: Answer) =>
      finishUpload(tx, { organisationId, id: task.id, steps: stepCount }, answer);
    const performed = await perform(database, bound, task.request, read, { id: task.id, finish });
    // Then nothing was written here, and so nothing was finished.
    if (performed.replayed) await database.tenant(organisationId, (tx) => finish(tx, performed.answer));
    report({ kind: 'done', ...performed, memory: process.memoryUsage.rss() });
  } catch (error) {
    const { code, details } = apiErrorOf(error);
    const { retryAfterSeconds = null, ...said } = details;
    const failure = error instanceof ApiError ? null : describeFailure(error);
    report({
      kind: 'refused',
      details: { code, ...said },
      retryAfterSeconds,
      failure,
      memory: process.memoryUsage.rss(),
    });
  }
}

/** A function of its own, so that the body can leave memory before its rows are written. */
async function inputOf(bound: Bound, { body, contentType, request }: UploadTask, onParsed: () => void) {
  const value = await readBody(
    'bytes' in body ? body.bytes : await readFile(body.file),
    contentType ?? undefined,
    bound.procedure,
  );
  onParsed();
  return readInput(bound, request, value);
}
