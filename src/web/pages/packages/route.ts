import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';
import { packageSearch } from './search.js';

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/packages',
  validateSearch: packageSearch,
  component: lazyRouteComponent(() => import('./page.js'), 'PackagesPage'),
});
const detailRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '$itemId',
  component: lazyRouteComponent(() => import('./detail.js'), 'PackagePage'),
});
export const packagesRoute = listRoute.addChildren([detailRoute]);
