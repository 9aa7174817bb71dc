import { useMay } from '../../api/may.js';
import { Admins } from '../../components/admins/admins.js';
import { Page } from '../../components/page/page.js';
import { Domains } from './domains.js';
import { Issuers } from './issuers.js';
import { Passwords } from './passwords.js';

/** How the organisation's people sign in. */
export function SignInSettingsPage() {
  if (!useMay()('signIn.listIssuers')) {
    return (
      <Page title="Sign-in" answer="Only an admin of your organisation sees and changes how its people sign in.">
        <Admins why="Ask one of them." />
      </Page>
    );
  }
  return (
    <Page title="Sign-in" answer="Where your people sign in, which addresses are yours, and whether passwords count.">
      <Issuers />
      <Domains />
      <Passwords />
    </Page>
  );
}
