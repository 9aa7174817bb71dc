import { Page } from '../../components/page/page.js';

export function ResetPasswordPage() {
  return <Page title="Set a new password">{null}</Page>;
}
