import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { settingsRoute } from '../settings/route.js';

const search = z.object({
  /** The member whose sessions are shown. */
  sessions_of: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
});

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'MembersPage'),
});
