import { Page } from '../../components/page/page.js';

export function AcceptInvitePage() {
  return <Page title="Accept an invite">{null}</Page>;
}
