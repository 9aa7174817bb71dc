import { Page } from '../../components/page/page.js';

export function PackagesPage() {
  return <Page title="Packages">{null}</Page>;
}
