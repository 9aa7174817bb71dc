import { Page } from '../../components/page/page.js';

export function ProjectPage() {
  return <Page title="Project">{null}</Page>;
}
