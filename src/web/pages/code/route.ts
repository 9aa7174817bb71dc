import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { findingSearch } from '../../components/finding/search.js';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';

const list = lazyRouteComponent(() => import('./page.js'), 'CodePage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectCodePage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'CodeFindingPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectCodeFindingPage');

/** The list over all projects, and a detail beside it. */
const allRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/code',
  validateSearch: findingSearch,
  component: list,
});
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$findingId',
  component: detail,
});
export const codeRoutes = allRoute.addChildren([allDetailRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/code',
  validateSearch: findingSearch,
  component: projectList,
});
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$findingId',
  component: projectDetail,
});
export const projectCodeRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute]);
