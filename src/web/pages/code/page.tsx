import { Page } from '../../components/page/page.js';

export function CodePage() {
  return <Page title="Code">{null}</Page>;
}

export function ProjectCodePage() {
  return <Page title="Code">{null}</Page>;
}
