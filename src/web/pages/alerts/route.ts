import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { api, queryClient } from '../../api/client.js';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';
import { alertFilters } from './filters.js';

const list = lazyRouteComponent(() => import('./page.js'), 'AlertsPage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectAlertsPage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'AlertPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectAlertPage');

/** Asked for on hover and focus too, so that a detail is there when it opens. The page shows what fails. */
function prefetch(projectId: string, alertId: string): void {
  void queryClient.prefetchQuery(api.alerts.get.queryOptions({ project_id: projectId, alert_id: alertId }));
}

/** The list over all projects, and a detail beside it. */
const allRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alerts',
  validateSearch: alertFilters,
  component: list,
});
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$alertId',
  loader: ({ params }) => prefetch(params.projectId, params.alertId),
  component: detail,
});
export const alertsRoutes = allRoute.addChildren([allDetailRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts',
  validateSearch: alertFilters,
  component: projectList,
});
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$alertId',
  loader: ({ params }) => prefetch(params.projectId, params.alertId),
  component: projectDetail,
});
export const projectAlertsRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute]);
