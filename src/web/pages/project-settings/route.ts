import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';

export const projectSettingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./page.js'), 'ProjectSettingsPage'),
});
