import { Admins } from '../../components/admins/admins.js';
import { Page } from '../../components/page/page.js';

/** What a member who is no admin learns here: who can make a key. */
export function NotAdmin() {
  return (
    <Page title="API Keys" answer="Only an admin of your organisation can see, make and revoke API keys.">
      <Admins why="Ask one of them for a key. Say what will use it, and whether it has to write." />
    </Page>
  );
}
