import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/route.js';
import { auditSearch } from './filters.js';

export const auditLogRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./page.js'), 'AuditLogPage'),
});
