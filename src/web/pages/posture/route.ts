import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { postureSearch } from '../../components/posture/search.js';
import { frameRoute } from '../../frame/frame-route.js';

export const postureRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  validateSearch: postureSearch,
  component: lazyRouteComponent(() => import('./page.js'), 'PosturePage'),
});
