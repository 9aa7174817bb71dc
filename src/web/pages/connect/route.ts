import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const connectRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connect',
  component: lazyRouteComponent(() => import('./page.js'), 'ConnectPage'),
});
