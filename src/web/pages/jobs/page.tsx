import { Page } from '../../components/page/page.js';

export function JobsPage() {
  return <Page title="Jobs">{null}</Page>;
}
