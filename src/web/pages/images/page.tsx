import { Page } from '../../components/page/page.js';

export function ImagesPage() {
  return <Page title="Images">{null}</Page>;
}

export function ProjectImagesPage() {
  return <Page title="Images">{null}</Page>;
}
