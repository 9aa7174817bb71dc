import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';

const list = lazyRouteComponent(() => import('./page.js'), 'ImagesPage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectImagesPage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'ImageFindingPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectImageFindingPage');

/** The list over all projects, and a detail beside it. */
const allRoute = createRoute({ getParentRoute: () => frameRoute, path: '/images', component: list });
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$findingId',
  component: detail,
});
export const imagesRoutes = allRoute.addChildren([allDetailRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({ getParentRoute: () => projectRoute, path: '/images', component: projectList });
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$findingId',
  component: projectDetail,
});
export const projectImagesRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute]);
