import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { frameRoute } from '../../frame/frame-route.js';

const search = z.object({
  state: z.catch(z.optional(z.enum(['queued', 'running', 'done', 'failed'])), undefined),
});

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'JobsPage'),
});
