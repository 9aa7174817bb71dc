import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import type { Choice } from '../lockfiles/choice.js';
import type { Scope, Skipped } from '../lockfiles/package-list.js';
import type { Failure } from '../remote/failure.js';
import type { SyncResult } from '../remote/remote-service.js';

/** The packages of one lock file, and the result of their sync. */
export interface SyncedLockfile {
  readonly path: string;
  /** The file name that is known, such as `package-lock.json`. */
  readonly kind: string;
  readonly ecosystem: string;
  readonly source: string;
  /** What its name was made from: the repository's remote, the manifest's own name, a folder's name, or `--source`. */
  readonly source_from: 'remote' | 'manifest' | 'folder' | 'option';
  /** `listed` counts every copy in the tree, the others each name and version once. */
  readonly packages: Readonly<Record<Scope | 'listed' | 'distinct' | 'direct', number>>;
  readonly skipped: readonly Skipped[];
  /** The service's answer; null after a dry run or a failure. */
  readonly result: SyncResult | null;
  /** Why the service refused this one; others may have been taken. */
  readonly refused: string | null;
}

/** What `reach sync` did, as `--json` prints it. */
export interface SyncReport {
  readonly project_id: string;
  readonly dry_run: boolean;
  readonly lockfiles: readonly SyncedLockfile[];
  readonly passed_over: Choice['passedOver'];
  readonly error: Failure | null;
}

/** The report as text, without the error: that goes to standard error. */
export function reportText({ project_id, dry_run, lockfiles, passed_over, error }: SyncReport): string {
  const passed = passed_over.map(({ path, reason }) => `Left out ${plainText(path)}: ${plainText(reason, 500)}.`);
  const parts = lockfiles.map((lockfile) => lockfileText(lockfile, project_id));
  const closing = [
    ...(lockfiles.some(({ source_from }) => source_from === 'folder') ? [namedByFolder] : []),
    ...(dry_run && error === null ? ['Dry run: nothing was sent.'] : []),
  ];
  return [...passed, ...parts, ...closing].map((part) => `${part}\n`).join('');
}

const namedByFolder =
  'No git remote is known, so sources are named after a folder: another folder of that name would have the same ones (see --source).';

function lockfileText(lockfile: SyncedLockfile, projectId: string): string {
  const { path, ecosystem, packages, skipped, source, result, refused } = lockfile;
  const { listed, distinct, direct } = packages;
  const named = plainText(source);
  const lines = [
    `${plainText(path)}: ${count(listed, 'package')}, ${formatCount(distinct)} distinct`,
    `  ${ecosystem}: ${scopes(packages)}${direct > 0 ? `; ${formatCount(direct)} direct` : ''}`,
    ...skipped.map(({ reason, count }) => `  skipped ${formatCount(count)}: ${reason}`),
  ];
  if (refused !== null) lines.push(`Not synced as ${named}: ${plainText(refused, 2000)}`);
  else if (result === null) lines.push(`  source: ${named}`);
  else {
    const { added, updated, removed, unchanged, alerts } = result;
    lines.push(
      `Synced to project ${plainText(projectId)} as ${named}:`,
      `  packages: ${formatCount(added)} added, ${formatCount(updated)} updated, ` +
        `${formatCount(removed)} removed, ${formatCount(unchanged)} unchanged`,
      `  alerts: ${formatCount(alerts.opened)} opened, ${formatCount(alerts.reopened)} reopened, ${formatCount(alerts.resolved)} resolved`,
      ...coverageLines(result.coverage),
      ...formerText(result, projectId),
    );
  }
  return lines.join('\n');
}

/** What became of the source as reach 0.1 named it. */
function formerText({ former }: SyncResult, projectId: string): string[] {
  if (former === null) return [];
  const name = plainText(former.source);
  if (former.taken_over) return [`  took over the packages of ${name}, as this source was called before`];
  const request = JSON.stringify({ source: former.source, packages: [], force: true });
  return [
    `  NOTE: ${name}, as this source was called before, was left: ` +
      `${formatCount(former.same)} of its ${count(former.packages, 'package')} are the same.`,
    '  If it is of this lock file, empty it, or its alerts stay open:',
    `    POST /api/projects/${plainText(projectId)}/tech-stack/sync ${plainText(request, 500)}`,
  ];
}

function scopes({ runtime, development, optional }: SyncedLockfile['packages']): string {
  return `${formatCount(runtime)} runtime, ${formatCount(development)} development, ${formatCount(optional)} optional`;
}

function count(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** What stands behind the alerts, "0 opened" above all. */
function coverageLines({ gaps }: SyncResult['coverage']): string[] {
  if (gaps.length === 0) return ['  coverage: complete, with fresh advisories'];
  return gaps.map((gap) => `  not covered: ${plainText(gap)}`);
}
