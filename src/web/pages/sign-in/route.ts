import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { rootRoute } from '../../frame/root-route.js';

const search = z.object({
  /** Where to go afterwards: a path of this site. */
  to: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
  ended: z.catch(z.optional(z.boolean()), undefined),
});

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'SignInPage'),
});
