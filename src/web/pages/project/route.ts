import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from './layout-route.js';

export const projectOverviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./page.js'), 'ProjectPage'),
});
