import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { projectRoute } from '../project/layout-route.js';

const search = z.object({
  /** The webhook whose deliveries are shown. */
  webhook: z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))), undefined),
});

export const webhooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/webhooks',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'WebhooksPage'),
});
