import { Page } from '../../components/page/page.js';

export function SearchPage() {
  return <Page title="Search">{null}</Page>;
}
