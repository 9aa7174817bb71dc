import { Page } from '../../components/page/page.js';

export function UploadsPage() {
  return <Page title="Uploads">{null}</Page>;
}
