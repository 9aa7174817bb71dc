import { useMutation } from '@tanstack/react-query';
import { isPosternError } from '../../../client/index.js';
import { leaveForIssuer } from '../../api/issuer-sign-in.js';
import { Button } from '../../components/button/button.js';
import { Refusal } from '../../components/public-page/refusal.js';
import { Failed } from '../../components/state/state.js';
import styles from './page.module.css';

interface IssuerButtonsProps {
  readonly issuers: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  /** Where to go afterwards. */
  readonly to: string;
  readonly inviteToken?: string | undefined;
  readonly verb?: string;
}

/** One button for each issuer that signs people in here. */
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
