import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./page.js'), 'MembersPage'),
});
