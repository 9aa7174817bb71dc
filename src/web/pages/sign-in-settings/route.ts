import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const signInSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./page.js'), 'SignInSettingsPage'),
});
