import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';

export const auditLogRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./page.js'), 'AuditLogPage'),
});
