import { Page } from '../../components/page/page.js';

export function RunningAppPage() {
  return <Page title="Running app">{null}</Page>;
}

export function ProjectRunningAppPage() {
  return <Page title="Running app">{null}</Page>;
}
