import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../api/client.js';
import { sessionEnded } from '../api/session-ended.js';
import { keepSession } from '../api/sign-in.js';

/** Renews the session while it is in use, and asks to sign in when it is over. The address stays: signing in returns to it. */
export function SessionEnd() {
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(
    () =>
      sessionEnded.listen(() => {
        const { href } = router.state.location;
        if (href.startsWith('/sign-in')) return;
        // Cleared when its pages are gone: they read it until then.
        void navigate({ to: '/sign-in', search: { to: href, ended: true } }).then(() => queryClient.clear());
      }),
    [navigate, router],
  );
  useEffect(keepSession, []);
  return null;
}
