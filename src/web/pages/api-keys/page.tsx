import { Page } from '../../components/page/page.js';

export function ApiKeysPage() {
  return <Page title="API Keys">{null}</Page>;
}
