import type { ProposalState, VexFormat, VexStatus } from '../../../procedures/vex.js';
import type { OverrideVerdict } from '../../../shared/vulnerability-terms.js';
import type { ChangeSetMarks, CreatedAt } from './columns.js';

/** Documents that were uploaded; their content is not kept. */
export interface VexDocumentsTable extends ChangeSetMarks {
  organisation_id: string;
  id: string;
  project_id: string;
  format: VexFormat;
  /** Serial number, @id or tracking id: the same in all versions of one document. */
  name: string | null;
  version: string | null;
  author: string | null;
  issued_at: Date | null;
  /** SHA-256 of the document's values. */
  content_hash: Buffer;
  uploaded_by: string;
  uploaded_at: CreatedAt;
}

/** What documents propose for verdicts. Only a member's decision changes a verdict. */
export interface VexProposalsTable extends ChangeSetMarks {
  organisation_id: string;
  id: string;
  project_id: string;
  document_id: string;
  verdict_id: string;
  verdict: OverrideVerdict;
  state: ProposalState;
  /** The override's reason, unless the member gives another. */
  reason: string;
  status: VexStatus;
  product: string;
  justification: string | null;
  detail: string | null;
  pointer: string;
  created_at: CreatedAt;
  decided_by: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
}
