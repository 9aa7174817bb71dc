import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isStillSignedIn } from '../api/sign-in.js';
import { NotFound } from '../frame/not-found.js';

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const inRoot = { getParentRoute: () => rootRoute };

const signInSearch = z.object({
  /** The path of this site to go to afterwards. */
  to: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
  ended: z.catch(z.optional(z.boolean()), undefined),
  /** What was done before: a password was set, an invite accepted. */
  after: z.catch(z.optional(z.enum(['reset', 'invite'])), undefined),
});

const callback = lazyRouteComponent(() => import('../pages/sign-in-callback/page.js'));
const resetPassword = lazyRouteComponent(() => import('../pages/reset-password/page.js'));
const acceptInvite = lazyRouteComponent(() => import('../pages/accept-invite/page.js'));

/** Pages for people who are not signed in. */
export const publicPages = [
  createRoute({
    ...inRoot,
    path: '/sign-in',
    validateSearch: signInSearch,
    beforeLoad: async ({ search: { to = '/', ended, after } }) => {
      const mustSignIn = ended === true || after !== undefined;
      if (!mustSignIn && (await isStillSignedIn())) throw redirect({ href: to, replace: true });
    },
    component: lazyRouteComponent(() => import('../pages/sign-in/page.js')),
  }),
  createRoute({ ...inRoot, path: '/sign-in/callback', component: callback }),
  createRoute({ ...inRoot, path: '/reset-password', component: resetPassword }),
  createRoute({ ...inRoot, path: '/accept-invite', component: acceptInvite }),
] as const;
