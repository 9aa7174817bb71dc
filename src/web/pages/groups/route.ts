import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const groupsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/groups',
  component: lazyRouteComponent(() => import('./page.js'), 'GroupsPage'),
});
