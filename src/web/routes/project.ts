import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { postureSearch } from '../components/posture/search.js';
import { packageSearch } from '../pages/packages/search.js';
import {
  alert,
  alerts,
  appFinding,
  code,
  codeFinding,
  frameRoute,
  image,
  imageFinding,
  images,
  prefetchAlert,
  runningApp,
} from './organisation.js';

/** One project: its name and its tabs, around the pages of its parts. */
const projectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('../pages/project/layout.js')),
});
const inProject = { getParentRoute: () => projectRoute };

const webhooksSearch = z.object({
  /** The webhook whose deliveries are shown. */
  webhook: z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))), undefined),
});

const overview = lazyRouteComponent(() => import('../pages/project/page.js'));
const fixes = lazyRouteComponent(() => import('../pages/fixes/page.js'));
const packages = lazyRouteComponent(() => import('../pages/packages/page.js'));
const packageDetail = lazyRouteComponent(() => import('../pages/packages/detail.js'));
const uploads = lazyRouteComponent(() => import('../pages/uploads/page.js'));
const webhooks = lazyRouteComponent(() => import('../pages/webhooks/page.js'));
const settings = lazyRouteComponent(() => import('../pages/project-settings/page.js'));

const alertsRoute = createRoute({ ...inProject, ...alerts });
const codeRoute = createRoute({ ...inProject, ...code });
const runningAppRoute = createRoute({ ...inProject, ...runningApp });
const imagesRoute = createRoute({ ...inProject, ...images });
const packagesRoute = createRoute({
  ...inProject,
  path: '/packages',
  validateSearch: packageSearch,
  component: packages,
});
const inImages = { getParentRoute: () => imagesRoute };

const alertOfProject = createRoute({
  getParentRoute: () => alertsRoute,
  path: '$alertId',
  loader: ({ params }) => prefetchAlert(params.projectId, params.alertId),
  component: alert,
});
const codeFindingOfProject = createRoute({
  getParentRoute: () => codeRoute,
  path: '$findingId',
  component: codeFinding,
});
const appFindingOfProject = createRoute({
  getParentRoute: () => runningAppRoute,
  path: '$findingId',
  component: appFinding,
});
const imageFindingOfProject = createRoute({ ...inImages, path: '$findingId', component: imageFinding });
const imageOfProject = createRoute({ ...inImages, path: 'image/$imageId', component: image });
const packageOfProject = createRoute({
  getParentRoute: () => packagesRoute,
  path: '$itemId',
  component: packageDetail,
});

const pages = [
  createRoute({ ...inProject, path: '/', validateSearch: postureSearch, component: overview }),
  alertsRoute.addChildren([alertOfProject]),
  createRoute({ ...inProject, path: '/fixes', component: fixes }),
  codeRoute.addChildren([codeFindingOfProject]),
  runningAppRoute.addChildren([appFindingOfProject]),
  imagesRoute.addChildren([imageFindingOfProject, imageOfProject]),
  packagesRoute.addChildren([packageOfProject]),
  createRoute({ ...inProject, path: '/uploads', component: uploads }),
  createRoute({ ...inProject, path: '/webhooks', validateSearch: webhooksSearch, component: webhooks }),
  createRoute({ ...inProject, path: '/settings', component: settings }),
] as const;

export const projectPages = projectRoute.addChildren(pages);
