import { Page } from '../../components/page/page.js';

export function PosturePage() {
  return <Page title="Posture">{null}</Page>;
}
