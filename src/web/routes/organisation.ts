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

const inFrame = { getParentRoute: () => frameRoute };

// Lists of all projects, and the same of one project, each with details beside it.

export const alerts = {
  path: '/alerts',
  validateSearch: alertFilters,
  component: lazyRouteComponent(() => import('../pages/alerts/page.js')),
} as const;
export const alert = lazyRouteComponent(() => import('../pages/alerts/detail/page.js'));
export const code = {
  path: '/code',
  validateSearch: codeSearch,
  component: lazyRouteComponent(() => import('../pages/findings/code.js'), 'CodePage'),
} as const;
export const codeFinding = lazyRouteComponent(() => import('../pages/findings/code.js'), 'CodeFindingPage');
const importApp = () => import('../pages/findings/running-app/page.js');
export const runningApp = {
  path: '/running-app',
  validateSearch: runningAppSearch,
  component: lazyRouteComponent(importApp, 'RunningAppPage'),
} as const;
export const appFinding = lazyRouteComponent(importApp, 'RunningAppFindingPage');
export const images = {
  path: '/images',
  validateSearch: imagesSearch,
  component: lazyRouteComponent(() => import('../pages/findings/images/page.js')),
} as const;
export const imageFinding = lazyRouteComponent(() => import('../pages/findings/images/detail.js'));
export const image = lazyRouteComponent(() => import('../pages/findings/images/image.js'));

/** Asked for on hover and focus too, so that a detail is there when it opens. The page shows what fails. */
export function prefetchAlert(projectId: string, alertId: string): void {
  void queryClient.prefetchQuery(api.alerts.get.queryOptions({ project_id: projectId, alert_id: alertId }));
}

const posture = lazyRouteComponent(() => import('../pages/posture/page.js'));
const projects = lazyRouteComponent(() => import('../pages/projects/page.js'));
const search = lazyRouteComponent(() => import('../pages/search/page.js'));
const jobs = lazyRouteComponent(() => import('../pages/jobs/page.js'));
const feeds = lazyRouteComponent(() => import('../pages/feeds/page.js'));

const alertsRoute = createRoute({ ...inFrame, ...alerts });
const codeRoute = createRoute({ ...inFrame, ...code });
const runningAppRoute = createRoute({ ...inFrame, ...runningApp });
const imagesRoute = createRoute({ ...inFrame, ...images });
const inImages = { getParentRoute: () => imagesRoute };
const findingPath = '$projectId/$findingId';

const alertOfAll = createRoute({
  getParentRoute: () => alertsRoute,
  path: '$projectId/$alertId',
  loader: ({ params }) => prefetchAlert(params.projectId, params.alertId),
  component: alert,
});
const codeFindingOfAll = createRoute({ getParentRoute: () => codeRoute, path: findingPath, component: codeFinding });
const appFindingOfAll = createRoute({
  getParentRoute: () => runningAppRoute,
  path: findingPath,
  component: appFinding,
});
const imageFindingOfAll = createRoute({ ...inImages, path: findingPath, component: imageFinding });
const imageOfAll = createRoute({ ...inImages, path: 'image/$projectId/$imageId', component: image });

export const organisationPages = [
  createRoute({ ...inFrame, path: '/', validateSearch: postureSearch, component: posture }),
  createRoute({ ...inFrame, path: '/projects', validateSearch: projectsSearch, component: projects }),
  alertsRoute.addChildren([alertOfAll]),
  codeRoute.addChildren([codeFindingOfAll]),
  runningAppRoute.addChildren([appFindingOfAll]),
  imagesRoute.addChildren([imageFindingOfAll, imageOfAll]),
  createRoute({ ...inFrame, path: '/search', validateSearch: searchSearch, component: search }),
  createRoute({ ...inFrame, path: '/jobs', validateSearch: jobsSearch, component: jobs }),
  createRoute({ ...inFrame, path: '/feeds', component: feeds }),
] as const;
