import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { describeInvalid, fieldErrorsText } from '../../shared/schema/describe-invalid.js';
import { type Choice, chooseLockfiles } from '../lockfiles/choice.js';
import { readLockfile } from '../lockfiles/lockfile.js';
import type { Scope } from '../lockfiles/package-list.js';
import { LockfileError } from '../lockfiles/source.js';
import { parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { failureOf } from '../remote/failure.js';
import { type SyncInput, type SyncResult, sendSync } from '../remote/remote-service.js';
import { sourceName } from './source-name.js';
import type { SyncedLockfile, SyncReport } from './sync-report.js';
import { syncedPackages } from './synced-packages.js';

const syncInput = procedures.techStack.sync.input;

const options = z.object({
  path: z.string().min(1),
  project: syncInput.shape.project_id,
  source: syncInput.shape.source.optional(),
  dryRun: z.boolean(),
});

export type SyncOptions = z.input<typeof options>;

interface Prepared {
  readonly lockfile: Omit<SyncedLockfile, 'result'>;
  readonly input: SyncInput;
}

/** Reads the lock files that a path names, and makes the project's tech stack equal to them. */
export async function sync(given: SyncOptions, env: NodeJS.ProcessEnv, userAgent: string): Promise<SyncReport> {
  const { path, project, source, dryRun } = parseUsage(options, given, { path: 'FILE or DIR' });
  const service = dryRun ? null : remoteServiceFrom(env, userAgent);
  const prepared: Prepared[] = [];
  const results: SyncResult[] = [];
  let passedOver: Choice['passedOver'] = [];
  const report = (error: SyncReport['error']) => ({
    project_id: project,
    dry_run: dryRun,
    lockfiles: prepared.map(({ lockfile }, index) => ({ ...lockfile, result: results[index] ?? null })),
    passed_over: passedOver,
    error,
  });
  try {
    const choice = await chooseLockfiles(path);
    passedOver = choice.passedOver;
    if (source !== undefined && choice.taken.length > 1) {
      const files = choice.taken.join(', ');
      throw new UsageError(`--source names one lock file, and there are ${choice.taken.length}: give one of ${files}`);
    }
    // All files are read before the first is sent: one that cannot be read leaves the project unchanged.
    for (const taken of choice.taken) prepared.push(await prepare(taken, project, source));
    if (service !== null) for (const { input } of prepared) results.push(await sendSync(service, input));
    return report(null);
  } catch (error) {
    return report(failureOf(error));
  }
}

async function prepare(path: string, project: string, givenSource: string | undefined): Promise<Prepared> {
  const { kind, ecosystem, packages: listed, skipped } = await readLockfile(path);
  const source = givenSource ?? (await sourceName(path, process.cwd()));
  const packages = syncedPackages(listed);
  const input = { project_id: project, source, packages };
  const checked = syncInput.safeParse(input);
  if (!checked.success) throw new LockfileError(path, fieldErrorsText(describeInvalid(syncInput, checked.error)));

  const inScope = (scope: Scope) => packages.filter((synced) => synced.scope === scope).length;
  const counts = {
    listed: listed.length,
    distinct: packages.length,
    direct: packages.filter(({ direct }) => direct === true).length,
    runtime: inScope('runtime'),
    development: inScope('development'),
    optional: inScope('optional'),
  };
  return { input, lockfile: { path, kind, ecosystem, source, packages: counts, skipped } };
}
