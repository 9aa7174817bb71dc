import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { groupSearch } from '../../components/groups/search.js';
import { frameRoute } from '../../frame/frame-route.js';

const search = z.object({
  /** Part of the name. */
  q: z.catch(z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))), undefined),
  /** Absent: the worst first. */
  sort: z.catch(z.optional(z.literal('name')), undefined),
  ...groupSearch,
});

export const projectsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/projects',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'ProjectsPage'),
});
