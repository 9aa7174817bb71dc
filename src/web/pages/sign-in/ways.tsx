import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { isPosternError } from '../../../client/index.js';
import { client } from '../../api/client.js';
import { leaveForIssuer } from '../../api/sign-in.js';
import { Button } from '../../components/button/button.js';
import { Failed } from '../../components/page/page.js';
import { Refusal } from '../../components/public-page/public-page.js';
import styles from './page.module.css';

interface IssuerButtonsProps {
  readonly issuers: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly to: string;
  readonly inviteToken?: string | undefined;
  readonly verb?: string;
}

export function IssuerButtons({ issuers, to, inviteToken, verb = 'Sign in' }: IssuerButtonsProps) {
  const leave = useMutation({ mutationFn: (issuer: string) => leaveForIssuer({ issuer, to, inviteToken }) });
  if (issuers.length === 0) return null;
  return (
    <div className={styles.issuers}>
      {leave.error !== null && <IssuerFailure error={leave.error} />}
      {issuers.map(({ id, name }) => (
        <Button key={id} busy={leave.isPending && leave.variables === id} onClick={() => leave.mutate(id)}>
          {verb} with {name}
        </Button>
      ))}
    </div>
  );
}

function IssuerFailure({ error }: { readonly error: unknown }) {
  if (isPosternError(error) && error.data.reason === 'issuer_unreachable') return <IssuerAway />;
  return <Failed error={error} />;
}

export function IssuerAway() {
  return (
    <Refusal title="The sign-in service does not answer">
      It is not this Postern that is away, but where your organisation signs in. Try again in a moment.
    </Refusal>
  );
}

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

interface ChooseOrganisationProps {
  readonly organisations: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly onChoose: (organisation: string) => Promise<void>;
  readonly onDone: () => void;
}

/** Somebody with accounts in several organisations says which one is meant. */
export function ChooseOrganisation({ organisations, onChoose, onDone }: ChooseOrganisationProps) {
  const choose = useMutation({ mutationFn: onChoose, onSuccess: onDone });
  return (
    <>
      <p>You are a member of several organisations. Which one do you want to work in?</p>
      {choose.error !== null && <Failed error={choose.error} />}
      <div className={styles.issuers}>
        {organisations.map(({ id, name }) => (
          <Button key={id} busy={choose.isPending && choose.variables === id} onClick={() => choose.mutate(id)}>
            {name}
          </Button>
        ))}
      </div>
    </>
  );
}
