import { useState } from 'react';
import type { PosternError } from '../../../client/index.js';
import { Refusal } from '../../components/public-page/refusal.js';

/** Why nobody was signed in, where the form's own words are clearer than those for any error. */
export function SignInFailure({ error }: { readonly error: PosternError }) {
  const { failure, retryAfterSeconds } = error.data;
  if (failure === 'rate_limited') {
    return (
      <Refusal title="Too many tries">
        {retryAfterSeconds === null ? 'Wait a while, then try again.' : <TryAgainAt seconds={retryAfterSeconds} />}{' '}
        Until then a right password is refused too.
      </Refusal>
    );
  }
  return (
    <Refusal title="E-mail or password is wrong">
      Which of the two is not said, so that nobody can find out who has an account.
    </Refusal>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

function TryAgainAt({ seconds }: { readonly seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1_000));
  return <>Try again at {clock.format(at)}.</>;
}
