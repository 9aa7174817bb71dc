import { Page } from '../../components/page/page.js';

export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
