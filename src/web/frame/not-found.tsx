import { Link } from '@tanstack/react-router';
import { Empty, Page } from '../components/page/page.js';

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
