import { plainText } from '../../shared/text/plain-text.js';
import { FileError } from '../file-error.js';
import { RequestRejected } from './request-rejected.js';

/** Why a command did not do all of its work, as `--json` prints it. */
export interface Failure {
  readonly message: string;
  readonly advice: string | null;
  /** HTTP status; null where the service did not answer. */
  readonly status: number | null;
}

/** A failure as it is shown to the user. Any other error is a bug and is thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestRejected) return { message: error.message, advice: error.advice, status: error.status };
  if (error instanceof FileError) {
    return { message: plainText(error.message, 2000), advice: null, status: null };
  }
  throw error;
}
