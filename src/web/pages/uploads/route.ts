import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../project/layout-route.js';

export const uploadsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/uploads',
  component: lazyRouteComponent(() => import('./page.js'), 'UploadsPage'),
});
