import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';

/** The settings: tabs around the pages of each part. */
export const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./layout.js'), 'SettingsLayout'),
});
