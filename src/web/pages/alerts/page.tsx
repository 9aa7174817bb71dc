import { Page } from '../../components/page/page.js';

export function AlertsPage() {
  return <Page title="Alerts">{null}</Page>;
}

export function ProjectAlertsPage() {
  return <Page title="Alerts">{null}</Page>;
}
