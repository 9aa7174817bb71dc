import { useLocation, useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.js';
import { tokenOf } from '../../api/link-token.js';
import { sessionQuery, useSession } from '../../api/session.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { Failed } from '../../components/state/state.js';

const words = {
  issuer: 'by the issuer that signed you in',
  domain: 'by its domain, which is the organisation’s',
  mail: 'by a link that was sent to it',
  operator: 'by the operator of this server',
} as const;

/** Who has shown that the address is the member's. A link to it does so, when it is opened here. */
export function AddressProof({ member }: { readonly member: NonNullable<ReturnType<typeof useSession>['member']> }) {
  const { sendsMail } = useSession();
  const token = tokenOf(useLocation({ select: ({ hash }) => hash }));
  const navigate = useNavigate();
  const send = useChange({
    send: client.session.proveAddress.mutate,
    done: ({ mailed_to }) => `A link is being sent to ${mailed_to}`,
  });
  const confirm = useChange({
    send: client.session.confirmAddress.mutate,
    done: ({ email }) => `${email} is confirmed`,
    onDone: () => navigate({ to: '/settings/account', replace: true }),
    stale: [{ queryKey: sessionQuery.queryKey }],
  });
  if (token !== null) {
    return (
      <>
        <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate({ token })}>
          Confirm {member.email}
        </Button>
        {confirm.error !== null && <Failed error={confirm.error} />}
      </>
    );
  }
  if (member.proven_by !== null) return words[member.proven_by];
  return (
    <>
      by nobody yet{' '}
      {sendsMail && (
        <Button size="small" busy={send.isPending} onClick={() => send.mutate({})}>
          Send a link to it
        </Button>
      )}
      {send.error !== null && <Failed error={send.error} />}
    </>
  );
}
