import type * as z from 'zod';
import type { Problem } from '../../../procedures/problem.js';
import type { uploadPhase, uploadState } from '../../../procedures/uploads.js';
import type { Json, JsonObject } from './columns.js';

/** Uploads that are too large for the main thread: jobs of processes of their own. */
export interface UploadsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  procedure: string;
  state: z.infer<typeof uploadState>;
  phase: z.infer<typeof uploadPhase>;
  /** Steps that are done, and how many there are. */
  done: number;
  steps: number;
  /** In wire form, of a job that is done. */
  answer: Json<JsonObject> | null;
  /** Of a job that has failed. */
  problem: Json<Problem> | null;
  /** Of the Idempotency-Key, as in idempotency_keys; null where there is none. */
  key_hash: Buffer | null;
  request_hash: Buffer | null;
  /** The process that does it, and until when that is known to live. */
  instance: string;
  lease_until: Date;
  received_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
