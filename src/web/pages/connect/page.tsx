import { Page } from '../../components/page/page.js';

export function ConnectPage() {
  return <Page title="Connect an agent">{null}</Page>;
}
