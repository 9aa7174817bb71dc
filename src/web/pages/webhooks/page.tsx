import { Page } from '../../components/page/page.js';

export function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}
