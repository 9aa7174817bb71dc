import { Page } from '../../components/page/page.js';

export function AccountPage() {
  return <Page title="My account">{null}</Page>;
}
