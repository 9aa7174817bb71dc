import { Page } from '../../components/page/page.js';

export function OrganisationPage() {
  return <Page title="Organisation">{null}</Page>;
}
