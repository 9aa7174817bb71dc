import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./page.js'), 'AccountPage'),
});
