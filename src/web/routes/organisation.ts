import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { isPosternError } from '../../client/index.js';
import { api, queryClient } from '../api/client.js';
import { sessionQuery } from '../api/session.js';
import { groupSearch } from '../components/groups/search.js';
import { postureSearch } from '../components/posture/search.js';
import { Frame } from '../frame/frame.js';
import { alertFilters } from '../pages/alerts/filters.js';
import { codeSearch, imagesSearch, runningAppSearch } from '../pages/findings/search.js';
import { ecosystemNames } from '../pages/search/ecosystems.js';
import { rootRoute } from './public.js';

/** Every page for people who are signed in. Others are asked to sign in first, and come back to where they were going. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isPosternError(error) || error.data.failure !== 'unauthenticated') throw error;
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
    }
  },
});

const projectsSearch = z.object({
  /** Part of the name. */
  q: z.catch(z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))), undefined),
  /** Absent: the worst first. */
  sort: z.catch(z.optional(z.literal('name')), undefined),
  ...groupSearch,
});

const searchSearch = z.object({
  q: z.catch(z.optional(z.string().check(z.trim(), z.maxLength(200))), undefined),
  /** Of the package whose version is asked for. */
  ecosystem: z.catch(z.optional(z.enum(ecosystemNames)), undefined),
});

const jobsSearch = z.object({
  state: z.catch(z.optional(z.enum(['queued', 'running', 'done', 'failed'])), undefined),
});

// Lists of all projects, and the same of one project, each with details beside it.

export const alerts = {
  path: '/alerts',
  validateSearch: alertFilters,
  component: lazyRouteComponent(() => import('../pages/alerts/page.js'), 'AlertsPage'),
} as const;
export const alert = lazyRouteComponent(() => import('../pages/alerts/detail.js'), 'AlertPage');

/** Asked for on hover and focus too, so that a detail is there when it opens. The page shows what fails. */
export function prefetchAlert(projectId: string, alertId: string): void {
  void queryClient.prefetchQuery(api.alerts.get.queryOptions({ project_id: projectId, alert_id: alertId }));
}

export const code = {
  path: '/code',
  validateSearch: codeSearch,
  component: lazyRouteComponent(() => import('../pages/findings/code/page.js'), 'CodePage'),
} as const;
export const codeFinding = lazyRouteComponent(() => import('../pages/findings/code/detail.js'), 'CodeFindingPage');

export const runningApp = {
  path: '/running-app',
  validateSearch: runningAppSearch,
  component: lazyRouteComponent(() => import('../pages/findings/running-app/page.js'), 'RunningAppPage'),
} as const;
export const runningAppFinding = lazyRouteComponent(
  () => import('../pages/findings/running-app/detail.js'),
  'RunningAppFindingPage',
);

export const images = {
  path: '/images',
  validateSearch: imagesSearch,
  component: lazyRouteComponent(() => import('../pages/findings/images/page.js'), 'ImagesPage'),
} as const;
export const imageFinding = lazyRouteComponent(() => import('../pages/findings/images/detail.js'), 'ImageFindingPage');
export const image = lazyRouteComponent(() => import('../pages/findings/images/image.js'), 'ImagePage');

const alertsRoute = createRoute({ getParentRoute: () => frameRoute, ...alerts });
const codeRoute = createRoute({ getParentRoute: () => frameRoute, ...code });
const runningAppRoute = createRoute({ getParentRoute: () => frameRoute, ...runningApp });
const imagesRoute = createRoute({ getParentRoute: () => frameRoute, ...images });
const alertOfAll = createRoute({
  getParentRoute: () => alertsRoute,
  path: '$projectId/$alertId',
  loader: ({ params }) => prefetchAlert(params.projectId, params.alertId),
  component: alert,
});
const findingPath = '$projectId/$findingId';
const codeOfAll = createRoute({ getParentRoute: () => codeRoute, path: findingPath, component: codeFinding });
const appOfAll = createRoute({
  getParentRoute: () => runningAppRoute,
  path: findingPath,
  component: runningAppFinding,
});
const imageFindingOfAll = createRoute({
  getParentRoute: () => imagesRoute,
  path: findingPath,
  component: imageFinding,
});
const imageOfAll = createRoute({
  getParentRoute: () => imagesRoute,
  path: 'image/$projectId/$imageId',
  component: image,
});

export const organisationPages = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/',
    validateSearch: postureSearch,
    component: lazyRouteComponent(() => import('../pages/posture/page.js'), 'PosturePage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/projects',
    validateSearch: projectsSearch,
    component: lazyRouteComponent(() => import('../pages/projects/page.js'), 'ProjectsPage'),
  }),
  alertsRoute.addChildren([alertOfAll]),
  codeRoute.addChildren([codeOfAll]),
  runningAppRoute.addChildren([appOfAll]),
  imagesRoute.addChildren([imageFindingOfAll, imageOfAll]),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/search',
    validateSearch: searchSearch,
    component: lazyRouteComponent(() => import('../pages/search/page.js'), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/jobs',
    validateSearch: jobsSearch,
    component: lazyRouteComponent(() => import('../pages/jobs/page.js'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/feeds',
    component: lazyRouteComponent(() => import('../pages/feeds/page.js'), 'FeedsPage'),
  }),
] as const;
