import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { PackageKey, PackageScope } from '../alerts/tracked-packages.js';
import type { AlertCounts } from '../assessment/alert-counts.js';
import { reassessProjects } from '../assessment/reassess-projects.js';
import type { Database } from '../db/database.js';
import type { FeedKind } from './feed.js';
import type { FeedFile } from './file-bytes.js';
import type { LoadProgress, LoadReport } from './load-report.js';
import type { UnreadRecord } from './reading.js';

export interface LoadRequest {
  readonly kind: FeedKind;
  readonly file: FeedFile;
  /** What follows `osv:` and `symbols:` in the name of a feed: its file, or its ecosystem. */
  readonly part: string;
  /** What one unusable record does. `report`: it is reported and left out. `refuse`: nothing of the file is loaded. */
  readonly onBad: 'report' | 'refuse';
  /** The ecosystems that an operator says an OSV file has completely; absent where its content decides. */
  readonly covers?: readonly Ecosystem[] | undefined;
  /** The origin's name for this content, for the next conditional request. */
  readonly validator: string | null;
}

export interface LoadContext {
  readonly database: Database;
  /** Updates the projects' alerts after these packages' advisories, scores or KEV entries changed. */
  readonly reconcile: (touched: PackageScope) => Promise<AlertCounts>;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Ends the load after the current batch. */
  readonly signal?: AbortSignal;
}

/** Updates the alerts of all organisations, as of now. */
export function reconcileWith(database: Database): LoadContext['reconcile'] {
  return async (touched) => {
    const { opened, reopened, resolved, updated } = await reassessProjects(database, new Date(), touched);
    return { opened, reopened, resolved, updated };
  };
}

/** The input of one kind's loader. */
export interface LoadRun extends LoadContext {
  readonly request: LoadRequest;
  /** When the stored content was published. */
  readonly storedPublishedAt: Date | null;
  /** Called before the first row is written. */
  readonly begin: () => Promise<void>;
  /** Remembers packages whose alerts may change. */
  readonly touch: (packages: readonly PackageKey[]) => void;
}

/** The result of one kind's loader. */
export type Loaded = Readonly<Pick<LoadReport, 'counts' | 'bad' | 'version' | 'publishedAt'>> & {
  readonly records: number;
  readonly covers: readonly Ecosystem[];
  readonly named: readonly Ecosystem[];
  readonly unread: readonly UnreadRecord[];
};
