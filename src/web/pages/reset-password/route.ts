import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route.js';

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./page.js'), 'ResetPasswordPage'),
});
