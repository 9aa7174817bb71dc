import {
  type InvalidateQueryFilters,
  infiniteQueryOptions,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
} from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { useMemo } from 'react';
import { type AppRouter, createPosternClient, isPosternError } from '../../client/index.js';
import { nextCursor } from '../../client/paging.js';
import { toast } from '../components/toast/toast.js';
import { isConflict } from './explain.js';

export type { RouterInputs, RouterOutputs } from '../../client/index.js';

/** The published client, as any other frontend uses it. The session's cookie goes along: same origin, no credential here. */
export const client = createPosternClient({ url: window.location.origin });

/** A retry is for what may be over in a moment. What the service has decided stays decided. */
function mayRetry(count: number, error: unknown): boolean {
  if (!isPosternError(error)) return count < 2;
  return count < 2 && ['unavailable', 'timeout', 'rate_limited'].includes(error.data.failure);
}

const onError = (error: unknown) => {
  if (isPosternError(error) && error.data.failure === 'unauthenticated') sessionEnded.emit();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 5 * 60_000, retry: mayRetry },
    mutations: { retry: false },
  },
});

/** Query and mutation options of every procedure: `useQuery(api.alerts.list.queryOptions({…}))`. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

type Listener = () => void;

const listeners = new Set<Listener>();

/** That an answer said 401: the session is over. The frame then asks to sign in, and comes back to the same page. */
export const sessionEnded = {
  emit(): void {
    for (const listener of listeners) listener();
  },
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Rows of one page. The server pages, filters and sorts; the browser never holds a whole list. */
const pageSize = 100;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next_cursor: string | null;
}

interface Paging {
  readonly cursor?: string | undefined;
  readonly page_size: number;
}

interface Keys<Input> {
  readonly queryKey: (input: Input) => readonly unknown[];
}

interface Procedure<Input, Answer> {
  readonly query: (input: Input & Paging, options: { readonly signal: AbortSignal }) => Promise<Answer>;
}

/**
 * A list that grows as the reader scrolls. While a filter changes, the rows before stay, dimmed.
 * @param keys of the procedure: `api.alerts.list`
 * @param procedure that answers one page: `client.alerts.list`
 */
export function pages<Input, Answer extends Page<unknown>>(
  keys: Keys<Input>,
  procedure: Procedure<Input, Answer>,
  input: Input,
) {
  return infiniteQueryOptions({
    queryKey: [...keys.queryKey(input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      procedure.query({ ...input, cursor: pageParam, page_size: pageSize }, { signal }),
    initialPageParam: beginning(),
    getNextPageParam: nextCursor,
    placeholderData: keepPreviousData,
  });
}

/**
 * The same as it is loaded: all its rows so far, and its first page, which has what is said of the whole.
 * @param interval milliseconds until the rows are asked for again
 */
export function useList<Input, Row, Answer extends Page<Row>>(
  keys: Keys<Input>,
  procedure: Procedure<Input, Answer & Page<Row>>,
  input: Input,
  interval: (rows: readonly Row[]) => number | false = () => false,
) {
  const query = useInfiniteQuery({
    ...pages(keys, procedure, input),
    refetchInterval: ({ state }) => interval(state.data?.pages.flatMap(({ items }) => items) ?? []),
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return { query, rows, first: query.data?.pages[0] };
}

/** One row of a list, looked for page by page; null where the list has none of this id. */
export function oneOf<Input, Row extends { readonly id: string }>(
  keys: Keys<Input>,
  procedure: Procedure<Input, Page<Row>>,
  input: Input,
  id: string,
) {
  return queryOptions({
    queryKey: [...keys.queryKey(input), 'one', id],
    queryFn: async ({ signal }): Promise<Row | null> => {
      for (let cursor = beginning(); ; ) {
        const { items, next_cursor } = await procedure.query({ ...input, cursor, page_size: pageSize }, { signal });
        const found = items.find((each) => each.id === id);
        if (found !== undefined || next_cursor === null) return found ?? null;
        cursor = next_cursor;
      }
    },
  });
}

/** No cursor: the first page. */
function beginning(): string | undefined {
  return undefined;
}

export interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** Says what was done; null where the page says it. */
  readonly done?: (answer: Answer, input: Input) => string | null;
  /** Says what was not done, where the page has no other place for the error. */
  readonly failed?: (input: Input) => string;
  /** Runs before the page is asked for again. */
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
      const words = done?.(answer, input);
      if (words != null) toast.done(words);
      await onDone?.(answer, input);
      await Promise.all(stale.map((filter) => queryClient.invalidateQueries(filter)));
    },
    onError: (error, input) => {
      if (failed !== undefined) toast.failed(failed(input), error);
      if (changed !== undefined && isConflict(error)) void queryClient.invalidateQueries(changed);
    },
    // Requests and answers may hold secrets, so no cache keeps them.
    gcTime: 0,
  });
}
