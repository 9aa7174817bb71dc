import { usageReportLimits } from '../../procedures/usage-report.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { plainText } from '../../shared/text/plain-text.js';
import type { GapKind } from '../../shared/vulnerability-terms.js';
import type { SearchGap } from '../languages/language-reader.js';
import { remember } from '../remember.js';
import type { WireReport } from './site-evidence.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** A gap of the search for the packages of one ecosystem. */
export interface FoundGap extends SearchGap {
  readonly ecosystem: Ecosystem;
}

/** A gap with the number of lock file entries that it could hide a use of. */
export interface CountedGap extends FoundGap {
  readonly hidden: number;
}

type WireGap = NonNullable<WireReport['ecosystems']>[number]['gaps'][number];

/** Characters of a reason, and of a path, in a report. */
const maxTextLength = 256;
const maxPathLength = 1024;

/** Characters of the path in a reason. */
const maxPlaceLength = 128;

const whats: Readonly<Record<GapKind, string>> = {
  no_source: 'has packages of which no source was read',
  unread_file: 'could not be read or searched',
  unresolved_import: 'imports a file that is not there',
  unowned_import: 'imports what no package answers to',
  unknown_dynamic: 'imports what only a run can say',
  unknown_edges: 'does not say what its packages depend on',
};

/** Why a use may have been missed, as a sentence part: `src/app.ts:12 imports what only a run can say (require(…))`. */
function reasonOf({ kind, file, line, detail }: SearchGap): string {
  const what = `${whats[kind]}${detail === '' ? '' : ` (${plainText(detail)})`}`;
  const path = plainText(file, maxPathLength);
  const place = line === null ? path : `${path}:${line}`;
  // The end of a long path says more than its beginning.
  return plainText(`${place.slice(-maxPlaceLength)} ${what}`, maxTextLength);
}

export function toWireGap({ kind, file, line, detail, hidden }: CountedGap): WireGap {
  return {
    kind,
    file: reportPath(file),
    line: line !== null && line >= 1 ? line : null,
    detail: plainText(detail === '' ? whats[kind] : detail, maxTextLength),
    hides: hidden,
  };
}

/** A path as a report can hold it: what comes from a package or from an entry that was passed over may be anything. */
export function reportPath(file: string): string {
  const parts = file.replaceAll(/[\p{Cc}\\\uFFFD]/gu, '?').split('/');
  const path = parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
  return path === '' ? '.' : path.slice(-maxPathLength).replace(/^\/+/, '');
}

/** Reasons for one package, each once. */
export function reasonsOf(gaps: readonly SearchGap[]): string[] {
  return [...new Set(gaps.map(reasonOf))].slice(0, usageReportLimits.reasons);
}

/** Gaps of whole lock files, one for each, with how many packages it hides. */
export class LockfileGaps {
  readonly #gaps = new Map<TreeLockfile, { readonly gap: FoundGap; hidden: number }>();

  /** Counts a package as hidden by the gap of its lock file. */
  hide(lockfile: TreeLockfile, gap: Pick<FoundGap, 'kind' | 'ecosystem' | 'detail'>): FoundGap {
    const whole = { ...gap, file: lockfile.path, line: null, hides: 'any' } as const;
    const known = remember(this.#gaps, lockfile, () => ({ gap: whole, hidden: 0 }));
    known.hidden += 1;
    return known.gap;
  }

  of(lockfile: TreeLockfile): FoundGap | null {
    return this.#gaps.get(lockfile)?.gap ?? null;
  }

  get counted(): CountedGap[] {
    return [...this.#gaps.values()].map(({ gap, hidden }) => ({ ...gap, hidden }));
  }
}
