import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { type AppRouter, createPosternClient, isPosternError } from '../../client/index.js';
import { sessionEnded } from './session-ended.js';

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
