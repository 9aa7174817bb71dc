import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./page.js'), 'JobsPage'),
});
