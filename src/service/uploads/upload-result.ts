import type { Procedure } from '../../procedures/define.js';
import type { Performed } from '../api/answer.js';
import { ApiError } from '../http/api-error.js';
import type { UploadProcesses } from './upload-processes.js';

type End = Awaited<ReturnType<UploadProcesses['run']>>;

/** Of a job whose process ends, or has ended. */
export const interrupted = new ApiError('unavailable', {
  detail: 'interrupted: upload it again',
  retryAfterSeconds: 1,
});

/** The answer of an upload that is over. Throws why there is none: `ApiError`, or an error that the log should have. */
export function resultOf(end: End, { body = '' }: Procedure, memoryMb: number): Performed {
  switch (end.kind) {
    case 'done':
      return { answer: end.answer, replayed: end.replayed };
    case 'refused': {
      if (end.failure !== null) throw Object.assign(new Error('an upload worker failed'), { cause: end.failure });
      const { code, request_id: _, ...details } = end.details;
      throw new ApiError(code, {
        ...details,
        ...(end.retryAfterSeconds !== null && { retryAfterSeconds: end.retryAfterSeconds }),
      });
    }
    case 'exhausted':
      throw tooMuch(body, `takes more than ${memoryMb} MB of memory to read: split it`);
    case 'too_long':
      throw tooMuch(body, 'takes longer than 10 minutes: split it');
    case 'killed':
      throw interrupted;
    case 'crashed':
      throw end.error;
  }
}

function tooMuch(field: string, message: string): ApiError {
  return new ApiError('invalid_input', { errors: [{ field, message }] });
}
