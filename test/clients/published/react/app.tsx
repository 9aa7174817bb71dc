// Vite, React 19 and TanStack Query, with tRPC's own adapter.
import {
  type AppRouter,
  createPosternClient,
  isPosternError,
  nextCursor,
  type RouterOutputs,
} from '@posternhq/postern/client';
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createTRPCContext, createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

const client = createPosternClient();
const queries = new QueryClient();
/** For loaders of routes, which are outside of React. */
export const postern = createTRPCOptionsProxy<AppRouter>({ client, queryClient: queries });

type Alert = RouterOutputs['alerts']['list']['items'][number];

function Row({ alert }: { readonly alert: Alert }) {
  return (
    <li>
      {alert.title} since {alert.first_seen_at.toLocaleDateString()}
    </li>
  );
}

function Alerts({ project_id }: { readonly project_id: string }) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const caller = useQuery(trpc.session.get.queryOptions());
  const list = useInfiniteQuery(
    trpc.alerts.list.infiniteQueryOptions({ project_id, tier: 'RED' }, { getNextPageParam: nextCursor }),
  );
  const acknowledge = useMutation(
    trpc.alerts.acknowledge.mutationOptions({
      onSuccess: () => cache.invalidateQueries(trpc.alerts.list.pathFilter()),
    }),
  );
  if (list.error) return <p>{list.error.data?.failure === 'forbidden' ? 'Not yours' : list.error.message}</p>;
  const failed = isPosternError(acknowledge.error) ? acknowledge.error.data.fields : [];
  return (
    <>
      <h1>{caller.data?.organisation.name}</h1>
      <ul>{list.data?.pages.flatMap((page) => page.items.map((alert) => <Row key={alert.id} alert={alert} />))}</ul>
      <button type="button" onClick={() => acknowledge.mutate({ project_id, alert_id: 'a' })}>
        Acknowledge
      </button>
      {failed.map(({ field, message }) => `${field}: ${message}`)}
    </>
  );
}

export function App() {
  const [project] = useState('shop');
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <Alerts project_id={project} />
      </TRPCProvider>
    </QueryClientProvider>
  );
}

const element = document.getElementById('root');
if (element) createRoot(element).render(<App />);
