import { type InvalidateQueryFilters, useMutation } from '@tanstack/react-query';
import { toast } from '../components/toast/toast.js';
import { queryClient } from './client.js';
import { isConflict } from './seen.js';

interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** Says what was done. */
  readonly done?: (answer: Answer, input: Input) => string;
  /** Says what was not done, where the page has no other place for the error. */
  readonly failed?: (input: Input) => string;
  /** What else follows, before the page is asked for again. */
  readonly onDone?: (answer: Answer, input: Input) => unknown;
  /** Queries whose answers it changes. */
  readonly stale?: readonly InvalidateQueryFilters[];
  /** What is changed, asked for again where the change was refused because somebody else's came before. */
  readonly changed?: InvalidateQueryFilters;
}

/** A change that the reader makes: it says how it went, and what it changes is asked for again. */
export function useChange<Input, Answer>({ send, done, failed, onDone, stale = [], changed }: Change<Input, Answer>) {
  return useMutation({
    mutationFn: (input: Input) => send(input),
    onSuccess: async (answer, input) => {
      if (done !== undefined) toast.done(done(answer, input));
      await onDone?.(answer, input);
      await Promise.all(stale.map((filter) => queryClient.invalidateQueries(filter)));
    },
    onError: (error, input) => {
      if (failed !== undefined) toast.failed(failed(input), error);
      if (changed !== undefined && isConflict(error)) void queryClient.invalidateQueries(changed);
    },
    // What was sent or answered may be a secret: no cache keeps it.
    gcTime: 0,
  });
}
