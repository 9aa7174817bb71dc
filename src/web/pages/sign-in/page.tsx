import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { enter } from '../../api/sign-in.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import icon from '../../icon.svg';
import styles from './page.module.css';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { to = '/', ended = false } = route.useSearch();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: (values: FormData) => enter(textOf(values, 'email'), textOf(values, 'password')),
    onSuccess: () => router.history.push(to),
  });
  useEffect(() => {
    document.title = 'Sign in · Postern';
  }, []);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src={icon} alt="" width={40} height={40} />
        <h1>Sign in to Postern</h1>
        {ended && <p role="status">Your session has ended. Sign in to go on where you were.</p>}
        <SendForm onSend={signIn.mutate} error={signIn.error}>
          <TextField name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
          <TextField name="password" label="Password" type="password" autoComplete="current-password" required />
          <FormActions>
            <Button type="submit" look="primary" busy={signIn.isPending}>
              Sign in
            </Button>
          </FormActions>
        </SendForm>
        <p className={styles.help}>Forgot it? An admin of your organisation can give you a link to set a new one.</p>
      </div>
    </main>
  );
}
