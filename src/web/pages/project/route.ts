import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { postureSearch } from '../../components/posture/search.js';
import { projectRoute } from './layout-route.js';

export const projectOverviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  validateSearch: postureSearch,
  component: lazyRouteComponent(() => import('./page.js'), 'ProjectPage'),
});
