import { Page } from '../../components/page/page.js';

export function AuditLogPage() {
  return <Page title="Audit log">{null}</Page>;
}
