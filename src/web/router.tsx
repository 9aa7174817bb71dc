import { createRouter } from '@tanstack/react-router';
import { Failed, Page, Skeleton } from './components/page/page.js';
import { frameRoute, organisationPages } from './routes/organisation.js';
import { projectPages } from './routes/project.js';
import { publicPages, rootRoute } from './routes/public.js';
import { settingsPages } from './routes/settings.js';

const framePages = frameRoute.addChildren([...organisationPages, projectPages, settingsPages]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([...publicPages, framePages]),
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

/** A page that failed while it was drawn, or whose code could not be loaded after a new version was installed. */
function Broken({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Page title="This page failed">
      <Failed error={error} onRetry={reset} />
    </Page>
  );
}
