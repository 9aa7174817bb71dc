import { isPosternError } from '../../client/index.js';

export interface Explanation {
  readonly title: string;
  readonly detail: string;
  readonly mayRetry: boolean;
  readonly requestId: string | null;
}

const titles: Readonly<Record<string, string>> = {
  unauthenticated: 'You are signed out',
  forbidden: 'You may not do this',
  plan_required: 'Not in your plan',
  not_found: 'Not found',
  conflict: 'It was changed meanwhile',
  invalid_input: 'Something is not valid',
  rate_limited: 'Too many requests',
  unavailable: 'The service cannot be reached',
  timeout: 'The service did not answer in time',
};

const passing: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'timeout', 'upstream_error']);

export function explain(error: unknown): Explanation {
  if (!isPosternError(error)) {
    return {
      title: 'No connection',
      detail: 'The server did not answer. Check the connection, then try again.',
      mayRetry: true,
      requestId: null,
    };
  }
  const { failure, requestId, retryAfterSeconds } = error.data;
  const wait = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  return {
    title: titles[failure] ?? 'The service could not answer',
    detail: `${sentence(error.message)}${wait}`,
    mayRetry: passing.has(failure),
    requestId,
  };
}

/** Messages by field of the form that was sent, for `<Form errors>`. Empty where no field is to blame. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!isPosternError(error)) return {};
  return Object.fromEntries(error.data.fields.map(({ field, message }) => [field, sentence(message)]));
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

export function isFieldError(error: unknown, name: string): boolean {
  return isPosternError(error) && error.data.fields.some(({ field }) => field === name);
}

/** Whether an update was refused because somebody else's came before. */
export function isConflict(error: unknown): boolean {
  return isPosternError(error) && error.data.reason === 'revision_mismatch';
}
