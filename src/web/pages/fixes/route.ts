import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';

export const fixesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/fixes',
  component: lazyRouteComponent(() => import('./page.js'), 'FixesPage'),
});
