import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';

const list = lazyRouteComponent(() => import('./page.js'), 'AlertsPage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectAlertsPage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'AlertPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectAlertPage');

/** The list over all projects, and a detail beside it. */
const allRoute = createRoute({ getParentRoute: () => frameRoute, path: '/alerts', component: list });
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$alertId',
  component: detail,
});
export const alertsRoutes = allRoute.addChildren([allDetailRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({ getParentRoute: () => projectRoute, path: '/alerts', component: projectList });
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$alertId',
  component: projectDetail,
});
export const projectAlertsRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute]);
