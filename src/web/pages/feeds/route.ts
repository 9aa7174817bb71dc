import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

export const feedsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/feeds',
  component: lazyRouteComponent(() => import('./page.js'), 'FeedsPage'),
});
