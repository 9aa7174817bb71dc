import type { PackageKey, PackageScope } from '../alerts/tracked-packages.js';
import type { AlertCounts } from '../assessment/reassess-project.js';
import { reassessProjects } from '../assessment/reassess-projects.js';
import type { Database } from '../db/database.js';
import type { BadRecord, FeedKind } from './feed.js';
import type { FeedFile } from './file-bytes.js';
import type { LoadCounts, LoadProgress } from './load-report.js';

export interface LoadRequest {
  readonly kind: FeedKind;
  readonly file: FeedFile;
  /** What stands behind `osv:` in the name of an OSV feed: its file or its ecosystem. */
  readonly part: string;
  /** What one unusable record does: it is told of and left out, or nothing is loaded at all. */
  readonly onBad: 'report' | 'refuse';
  /** The origin's name for this content, for the next conditional request. */
  readonly validator: string | null;
}

export interface LoadContext {
  readonly database: Database;
  /** Brings the projects' alerts in line with what has changed. */
  readonly reconcile: (touched: PackageScope) => Promise<AlertCounts>;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Ends the load after the batch at hand. */
  readonly signal?: AbortSignal;
}

/** The alerts of every organisation's projects, as of now. */
export function reconcileWith(database: Database): LoadContext['reconcile'] {
  return async (touched) => {
    const { opened, reopened, resolved, updated } = await reassessProjects(database, new Date(), touched);
    return { opened, reopened, resolved, updated };
  };
}

/** What the loader of one kind works with. */
export interface LoadRun extends LoadContext {
  readonly request: LoadRequest;
  /** The age of what is stored, by its own account. */
  readonly storedAge: Date | null;
  /** Called before the first row is written. */
  readonly begin: () => Promise<void>;
  /** Takes note of packages whose alerts may have to change. */
  readonly touch: (packages: readonly PackageKey[]) => void;
}

/** What the loader of one kind hands back. */
export interface Loaded {
  readonly counts: LoadCounts;
  readonly records: number;
  readonly bad: readonly BadRecord[];
  readonly version: string | null;
  readonly publishedAt: Date | null;
}
