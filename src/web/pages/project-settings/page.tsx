import { Page } from '../../components/page/page.js';

export function ProjectSettingsPage() {
  return <Page title="Settings">{null}</Page>;
}
