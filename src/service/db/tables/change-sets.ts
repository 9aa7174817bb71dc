import type { Generated } from 'kysely';
import * as z from 'zod';

/** `waiting` for its turn; `open` while it is written; `undoing` after a failure; `landed` is what all see. */
export const changeSetState = z.enum(['waiting', 'open', 'undoing', 'landed']);

/** Changes that become visible together: see src/service/landing. Removed when nothing names it any more. */
export interface ChangeSetsTable {
  organisation_id: string;
  id: Generated<number>;
  project_id: string;
  state: z.infer<typeof changeSetState>;
  begun_at: Generated<Date>;
  /** Until then its writer lives. It moves this on. */
  lease_until: Date;
  /** The job that writes it; null where a request does. */
  upload_id: string | null;
}
