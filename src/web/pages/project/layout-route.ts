import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

/** One project: its name and its tabs, around the pages of its parts. */
export const projectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('./layout.js'), 'ProjectLayout'),
});
