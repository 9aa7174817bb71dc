import { Page } from '../components/page/page.js';
import { Failed } from '../components/state/state.js';

/** A page that failed while it was drawn, or whose code could not be loaded after a new version was installed. */
export function Broken({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Page title="This page failed">
      <Failed error={error} onRetry={reset} />
    </Page>
  );
}
