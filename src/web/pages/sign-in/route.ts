import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isStillSignedIn } from '../../api/sign-in.js';
import { rootRoute } from '../../frame/root-route.js';

const search = z.object({
  /** Where to go afterwards: a path of this site. */
  to: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
  ended: z.catch(z.optional(z.boolean()), undefined),
  /** What was done before: a password was set, an invite accepted. */
  after: z.catch(z.optional(z.enum(['reset', 'invite'])), undefined),
});

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: search,
  beforeLoad: async ({ search: { to = '/', ended, after } }) => {
    const mustSignIn = ended === true || after !== undefined;
    if (!mustSignIn && (await isStillSignedIn())) throw redirect({ href: to, replace: true });
  },
  component: lazyRouteComponent(() => import('./page.js'), 'SignInPage'),
});
