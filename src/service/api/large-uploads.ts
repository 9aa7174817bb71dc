import type { ReceivedBytes } from '../http/receive-body.js';
import type { Performed } from './answer.js';
import type { Bound, CallerRequest } from './perform.js';

/** An upload with a body that is too large for the main thread. */
export interface LargeUpload {
  readonly bound: Bound;
  readonly request: CallerRequest;
  readonly body: ReceivedBytes;
  readonly contentType: string | undefined;
  /** Milliseconds until the job is answered in its place. */
  readonly waitMs: number;
}

/** The answer to an upload, or the job that goes on. */
export type UploadOutcome = Performed | { readonly job: Readonly<Record<string, unknown>>; readonly path: string };

/** Where large uploads become jobs of another thread. */
export interface LargeUploads {
  /** Waits for a place to receive a large body. Answers what gives it back. Throws 503 where too many wait. */
  enter(organisationId: string, disconnected: AbortSignal): Promise<() => void>;
  /** Does it, or throws `ApiError`. Removes the body's file in the end. */
  upload(upload: LargeUpload): Promise<UploadOutcome>;
}

/** Milliseconds for which a POST waits for its job: those that `Prefer: wait=N` asks for (RFC 7240, 4.3), at most a minute. */
export function waitOf(prefer: string | undefined): number {
  const asked = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? '')?.[1];
  return Math.min(asked === undefined ? defaultWait : Number(asked), maxWait) * 1000;
}

const [defaultWait, maxWait] = [5, 60];
