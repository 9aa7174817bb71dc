import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.js';

export const acceptInviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invite',
  component: lazyRouteComponent(() => import('./page.js'), 'AcceptInvitePage'),
});
