import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { postureSearch } from '../components/posture/search.js';
import { packageSearch } from '../pages/packages/search.js';
import {
  alert,
  alerts,
  code,
  codeFinding,
  frameRoute,
  image,
  imageFinding,
  images,
  prefetchAlert,
  runningApp,
  runningAppFinding,
} from './organisation.js';

/** One project: its name and its tabs, around the pages of its parts. */
const projectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('../pages/project/layout.js'), 'ProjectLayout'),
});

const webhooksSearch = z.object({
  /** The webhook whose deliveries are shown. */
  webhook: z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))), undefined),
});

const alertsRoute = createRoute({ getParentRoute: () => projectRoute, ...alerts });
const codeRoute = createRoute({ getParentRoute: () => projectRoute, ...code });
const runningAppRoute = createRoute({ getParentRoute: () => projectRoute, ...runningApp });
const imagesRoute = createRoute({ getParentRoute: () => projectRoute, ...images });
const packagesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/packages',
  validateSearch: packageSearch,
  component: lazyRouteComponent(() => import('../pages/packages/page.js'), 'PackagesPage'),
});

const alertOfProject = createRoute({
  getParentRoute: () => alertsRoute,
  path: '$alertId',
  loader: ({ params }) => prefetchAlert(params.projectId, params.alertId),
  component: alert,
});
const findingPath = '$findingId';
const codeOfProject = createRoute({ getParentRoute: () => codeRoute, path: findingPath, component: codeFinding });
const appOfProject = createRoute({
  getParentRoute: () => runningAppRoute,
  path: findingPath,
  component: runningAppFinding,
});
const imageFindingOfProject = createRoute({
  getParentRoute: () => imagesRoute,
  path: findingPath,
  component: imageFinding,
});
const imageOfProject = createRoute({ getParentRoute: () => imagesRoute, path: 'image/$imageId', component: image });
const packageOfProject = createRoute({
  getParentRoute: () => packagesRoute,
  path: '$itemId',
  component: lazyRouteComponent(() => import('../pages/packages/detail.js'), 'PackagePage'),
});

const pages = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/',
    validateSearch: postureSearch,
    component: lazyRouteComponent(() => import('../pages/project/page.js'), 'ProjectPage'),
  }),
  alertsRoute.addChildren([alertOfProject]),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/fixes',
    component: lazyRouteComponent(() => import('../pages/fixes/page.js'), 'FixesPage'),
  }),
  codeRoute.addChildren([codeOfProject]),
  runningAppRoute.addChildren([appOfProject]),
  imagesRoute.addChildren([imageFindingOfProject, imageOfProject]),
  packagesRoute.addChildren([packageOfProject]),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/uploads',
    component: lazyRouteComponent(() => import('../pages/uploads/page.js'), 'UploadsPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/webhooks',
    validateSearch: webhooksSearch,
    component: lazyRouteComponent(() => import('../pages/webhooks/page.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('../pages/project-settings/page.js'), 'ProjectSettingsPage'),
  }),
] as const;

export const projectPages = projectRoute.addChildren(pages);
