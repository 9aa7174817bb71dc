import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { findingSearch } from '../../components/finding/search.js';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';

const list = lazyRouteComponent(() => import('./page.js'), 'RunningAppPage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectRunningAppPage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'RunningAppFindingPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectRunningAppFindingPage');

const search = z.extend(findingSearch, {
  /** Undefined: the findings. */
  view: z.catch(z.optional(z.enum(['targets'])), undefined),
});

/** The list over all projects, and a detail beside it. */
const allRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/running-app',
  validateSearch: search,
  component: list,
});
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$findingId',
  component: detail,
});
export const runningAppRoutes = allRoute.addChildren([allDetailRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/running-app',
  validateSearch: search,
  component: projectList,
});
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$findingId',
  component: projectDetail,
});
export const projectRunningAppRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute]);
