import { Page } from '../../components/page/page.js';

export function FeedsPage() {
  return <Page title="Feeds">{null}</Page>;
}
