import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

export const projectsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('./page.js'), 'ProjectsPage'),
});
