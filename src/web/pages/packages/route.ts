import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';

export const packagesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/packages',
  component: lazyRouteComponent(() => import('./page.js'), 'PackagesPage'),
});
