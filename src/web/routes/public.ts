import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isStillSignedIn } from '../api/sign-in.js';
import { NotFound } from '../frame/not-found.js';

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const signInSearch = z.object({
  /** Where to go afterwards: a path of this site. */
  to: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
  ended: z.catch(z.optional(z.boolean()), undefined),
  /** What was done before: a password was set, an invite accepted. */
  after: z.catch(z.optional(z.enum(['reset', 'invite'])), undefined),
});

/** Pages for people who are not signed in. */
export const publicPages = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: signInSearch,
    beforeLoad: async ({ search: { to = '/', ended, after } }) => {
      const mustSignIn = ended === true || after !== undefined;
      if (!mustSignIn && (await isStillSignedIn())) throw redirect({ href: to, replace: true });
    },
    component: lazyRouteComponent(() => import('../pages/sign-in/page.js'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/callback',
    component: lazyRouteComponent(() => import('../pages/sign-in-callback/page.js'), 'SignInCallbackPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('../pages/reset-password/page.js'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/accept-invite',
    component: lazyRouteComponent(() => import('../pages/accept-invite/page.js'), 'AcceptInvitePage'),
  }),
] as const;
