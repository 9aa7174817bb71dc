import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

export const searchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/search',
  component: lazyRouteComponent(() => import('./page.js'), 'SearchPage'),
});
