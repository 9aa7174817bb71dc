import { createRouter } from '@tanstack/react-router';
import { Skeleton } from './components/state/state.js';
import { Broken } from './frame/broken.js';
import { frameRoute } from './frame/frame-route.js';
import { rootRoute } from './frame/root-route.js';
import { acceptInviteRoute } from './pages/accept-invite/route.js';
import { accountRoute } from './pages/account/route.js';
import { alertsRoutes, projectAlertsRoutes } from './pages/alerts/route.js';
import { apiKeysRoute } from './pages/api-keys/route.js';
import { auditLogRoute } from './pages/audit-log/route.js';
import { connectRoute } from './pages/connect/route.js';
import { feedsRoute } from './pages/feeds/route.js';
import {
  codeRoutes,
  imagesRoutes,
  projectCodeRoutes,
  projectImagesRoutes,
  projectRunningAppRoutes,
  runningAppRoutes,
} from './pages/findings/route.js';
import { fixesRoute } from './pages/fixes/route.js';
import { groupsRoute } from './pages/groups/route.js';
import { jobsRoute } from './pages/jobs/route.js';
import { membersRoute } from './pages/members/route.js';
import { organisationRoute } from './pages/organisation/route.js';
import { packagesRoute } from './pages/packages/route.js';
import { postureRoute } from './pages/posture/route.js';
import { projectRoute } from './pages/project/layout-route.js';
import { projectOverviewRoute } from './pages/project/route.js';
import { projectSettingsRoute } from './pages/project-settings/route.js';
import { projectsRoute } from './pages/projects/route.js';
import { resetPasswordRoute } from './pages/reset-password/route.js';
import { searchRoute } from './pages/search/route.js';
import { settingsRoute } from './pages/settings/route.js';
import { signInRoute } from './pages/sign-in/route.js';
import { signInCallbackRoute } from './pages/sign-in-callback/route.js';
import { signInSettingsRoute } from './pages/sign-in-settings/route.js';
import { uploadsRoute } from './pages/uploads/route.js';
import { webhooksRoute } from './pages/webhooks/route.js';

const projectPages = projectRoute.addChildren([
  projectOverviewRoute,
  projectAlertsRoutes,
  fixesRoute,
  projectCodeRoutes,
  projectRunningAppRoutes,
  projectImagesRoutes,
  packagesRoute,
  uploadsRoute,
  webhooksRoute,
  projectSettingsRoute,
]);

const settingsPages = settingsRoute.addChildren([
  organisationRoute,
  membersRoute,
  signInSettingsRoute,
  groupsRoute,
  apiKeysRoute,
  connectRoute,
  auditLogRoute,
  accountRoute,
]);

const framePages = frameRoute.addChildren([
  postureRoute,
  projectsRoute,
  projectPages,
  alertsRoutes,
  codeRoutes,
  runningAppRoutes,
  imagesRoutes,
  searchRoute,
  jobsRoute,
  feedsRoute,
  settingsPages,
]);

const routeTree = rootRoute.addChildren([
  signInRoute,
  signInCallbackRoute,
  resetPasswordRoute,
  acceptInviteRoute,
  framePages,
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries keep what was loaded, and know when it is stale.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => <Skeleton rows={12} />,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
