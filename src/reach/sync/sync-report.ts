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
  /** `listed` counts every copy in the tree, the others each name and version once. */
  readonly packages: Readonly<Record<Scope | 'listed' | 'distinct' | 'direct', number>>;
  readonly skipped: readonly Skipped[];
  /** The service's answer; null after a dry run or a failure. */
  readonly result: SyncResult | null;
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
  const passed = passed_over.map(({ path, reason }) => `Passed over ${plainText(path)}: ${reason}.`);
  const parts = lockfiles.map((lockfile) => lockfileText(lockfile, project_id));
  const closing = dry_run && error === null ? ['Dry run: nothing was sent.'] : [];
  return [...passed, ...parts, ...closing].map((part) => `${part}\n`).join('');
}

function lockfileText(
  { path, ecosystem, packages, skipped, source, result }: SyncedLockfile,
  projectId: string,
): string {
  const { listed, distinct, direct } = packages;
  const lines = [
    `${plainText(path)}: ${count(listed, 'package')}, ${formatCount(distinct)} distinct`,
    `  ${ecosystem}: ${scopes(packages)}${direct > 0 ? `; ${formatCount(direct)} direct` : ''}`,
    ...skipped.map(({ reason, count }) => `  skipped ${formatCount(count)}: ${reason}`),
  ];
  if (result !== null) {
    const { added, updated, removed, unchanged, alerts } = result;
    lines.push(
      `Synced to project ${plainText(projectId)} as ${plainText(source)}:`,
      `  packages: ${formatCount(added)} added, ${formatCount(updated)} updated, ${formatCount(removed)} removed, ${formatCount(unchanged)} unchanged`,
      `  alerts: ${formatCount(alerts.opened)} opened, ${formatCount(alerts.reopened)} reopened, ${formatCount(alerts.resolved)} resolved`,
      ...coverageLines(result.coverage),
    );
  }
  return lines.join('\n');
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
