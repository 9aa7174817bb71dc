import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./page.js'), 'WebhooksPage'),
});
