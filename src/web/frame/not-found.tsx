import { Link } from '@tanstack/react-router';
import { Page } from '../components/page/page.js';
import { Empty } from '../components/state/state.js';

export function NotFound() {
  return (
    <main>
      <Page title="No such page">
        <Empty title="There is nothing at this address.">
          <Link to="/">Go to the posture</Link>
        </Empty>
      </Page>
    </main>
  );
}
