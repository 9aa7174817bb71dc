import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';

interface Asked {
  readonly email?: string;
  readonly inviteToken?: string;
}

/**
 * How somebody may sign in, by the domain of the address or by an invite. Where that cannot be asked, the form for passwords is there all
 * the same. Asked without another's help: an address is sent when its field is left, and in the body, as a token.
 */
export function signInOptions({ email = '', inviteToken }: Asked) {
  const domain = email.trim().toLowerCase().split('@')[1] ?? '';
  return queryOptions({
    queryKey: ['sign-in options', domain, inviteToken],
    queryFn: () =>
      client.session.signInOptions.mutate({ email: domain === '' ? '' : `@${domain}`, invite_token: inviteToken }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
