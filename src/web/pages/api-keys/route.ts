import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./page.js'), 'ApiKeysPage'),
});
