import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.js';

/** Who is signed in. Asked once at start; the cookie cannot be read here. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.session.get.query(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/**
 * The session's organisation and member, and whether links go out by mail. Pages behind the frame have one: the router
 * asks before they open.
 */
export function useSession() {
  const { data } = useQuery(sessionQuery);
  if (data === undefined) throw new Error('there is no session');
  const { organisation, caller, sends_mail: sendsMail } = data;
  return { organisation, member: caller.kind === 'member' ? caller.member : null, sendsMail };
}
