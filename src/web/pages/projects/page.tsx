import { Page } from '../../components/page/page.js';

export function ProjectsPage() {
  return <Page title="Projects">{null}</Page>;
}
