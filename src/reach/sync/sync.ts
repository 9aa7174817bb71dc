import { relative, resolve } from 'node:path';
import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import type { UnreadPart } from '../../procedures/unread.js';
import { describeInvalid, fieldErrorsText } from '../../shared/schema/parse-input.js';
import { isNamedByFolder } from '../lockfiles/kinds.js';
import type { Lockfile } from '../lockfiles/lockfile.js';
import type { Scope } from '../lockfiles/package-list.js';
import { LockfileError } from '../lockfiles/source.js';
import { parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { type Failure, failureOf } from '../remote/failure.js';
import { type RemoteService, type SyncInput, type SyncResult, sendSync } from '../remote/remote-service.js';
import { RequestRejected } from '../remote/request-rejected.js';
import { type FoundLockfiles, findLockfiles } from './find-lockfiles.js';
import { sourceNames } from './source-name.js';
import type { SyncedLockfile, SyncReport } from './sync-report.js';
import { syncedPackages } from './synced-packages.js';
import { unreadOfSource, unreadRequirements } from './unread-of-source.js';

const syncInput = procedures.techStack.sync.input;

const options = z.object({
  path: z.string().min(1),
  project: syncInput.shape.project_id,
  source: syncInput.shape.source.optional(),
  force: z.boolean(),
  dryRun: z.boolean(),
});

export type SyncOptions = z.input<typeof options>;

interface Prepared {
  readonly lockfile: Omit<SyncedLockfile, 'result' | 'refused'>;
  readonly input: SyncInput;
}

interface Sent {
  readonly result: SyncResult | null;
  /** Why the service did not want it, though it may take others. */
  readonly refused: Failure | null;
}

/** Reads the lock files that a path names, and makes the project's tech stack equal to them. */
export async function sync(
  given: SyncOptions,
  env: NodeJS.ProcessEnv,
  userAgent: string,
  progress?: RemoteService['progress'],
): Promise<SyncReport> {
  const { path, dryRun, ...rest } = parseUsage(options, given, { path: 'FILE or DIR' });
  const service = dryRun ? null : remoteServiceFrom(env, userAgent, progress);
  const prepared: Prepared[] = [];
  const sent: Sent[] = [];
  let leftOut: SyncReport['passed_over'] = [];
  const report = (error: SyncReport['error']) => ({
    project_id: rest.project,
    dry_run: dryRun,
    lockfiles: prepared.map(({ lockfile }, index) => {
      const { result = null, refused = null } = sent[index] ?? {};
      return { ...lockfile, result, refused: refused?.message ?? null };
    }),
    passed_over: leftOut,
    error,
  });
  try {
    const found = await findLockfiles(path);
    leftOut = found.leftOut;
    const [first, second] = found.lockfiles;
    if (rest.source !== undefined && second !== undefined) {
      throw new UsageError(
        `--source names one lock file, and there are ${found.lockfiles.length}: give one of them, as ${first?.path}`,
      );
    }
    // All files are read before the first is sent: one that cannot be read leaves the project unchanged.
    const lockfiles: Lockfile[] = [];
    const broken: UnreadPart[] = [];
    for (const { path: file, read } of found.lockfiles) {
      try {
        lockfiles.push(await read());
      } catch (error) {
        if (!(error instanceof LockfileError) || second === undefined || !isNamedByFolder(resolve(file))) throw error;
        const parts = await unreadRequirements(file, relative(found.folder, file));
        const what = parts.length === 0 ? 'is no requirements file' : 'cannot be read';
        leftOut = [...leftOut, { path: file, reason: `it ${what} (${error.message})` }];
        broken.push(...parts);
      }
    }
    // What the tree names besides its lock files is kept with the first of them, and replaced with it.
    const beside = [...(await found.beside(lockfiles)), ...broken];
    leftOut = [...leftOut, ...withoutLock(beside)];
    for (const [place, lockfile] of lockfiles.entries()) {
      const unread = await unreadOfSource(lockfile, place === 0 ? beside : []);
      prepared.push(await prepare({ ...lockfile, unread }, found, rest));
    }
    rejectSharedSources(prepared);
    if (service !== null) for (const { input } of prepared) sent.push(await send(service, input));
    return report(failureIn(sent));
  } catch (error) {
    return report(failureOf(error));
  }
}

/** Manifests that one report names. */
const maxNamed = 5;

function withoutLock(beside: readonly UnreadPart[]): { readonly path: string; readonly reason: string }[] {
  const paths = beside.flatMap(({ reason, at }) => (reason === 'no_lock_file' && at !== null ? at : []));
  const named = paths.slice(0, maxNamed).map((path) => ({ path, reason: 'it asks for packages and has no lock file' }));
  const more = paths.length - named.length;
  return more === 0
    ? named
    : [...named, { path: `${more} more`, reason: 'they ask for packages and have no lock file' }];
}

async function prepare(
  { path, kind, ecosystem, packages: listed, skipped, unread, tool }: Lockfile,
  { folder }: FoundLockfiles,
  { project, source: givenSource, force }: Pick<z.output<typeof options>, 'project' | 'source' | 'force'>,
): Promise<Prepared> {
  const names = await sourceNames(path, folder, process.cwd());
  const source = givenSource ?? names.source;
  const packages = syncedPackages(listed);
  const input = {
    project_id: project,
    source,
    ...(givenSource === undefined &&
      syncInput.shape.former.safeParse(names.former).success && { former: names.former }),
    ...(force && { force }),
    packages,
    ...(unread.length > 0 && { unread: [...unread] }),
    ...(tool !== undefined && { tool }),
  };
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
  const sourceFrom = givenSource === undefined ? names.from : 'option';
  return { input, lockfile: { path, kind, ecosystem, source, source_from: sourceFrom, packages: counts, skipped } };
}

/** Two lock files under one source would remove each other's packages. */
function rejectSharedSources(prepared: readonly Prepared[]): void {
  const paths = new Map<string, string>();
  for (const { lockfile } of prepared) {
    const other = paths.get(lockfile.source);
    if (other !== undefined) {
      const both = `has the source ${lockfile.source}, as ${other} has`;
      throw new LockfileError(lockfile.path, `${both}: sync each by itself, with a --source of its own`);
    }
    paths.set(lockfile.source, lockfile.path);
  }
}

/** Sends one lock file. A conflict is about that one alone; every other failure ends the sync. */
async function send(service: RemoteService, input: SyncInput): Promise<Sent> {
  try {
    return { result: await sendSync(service, input), refused: null };
  } catch (error) {
    if (!(error instanceof RequestRejected) || error.status !== 409) throw error;
    return { result: null, refused: failureOf(error) };
  }
}

function failureIn(sent: readonly Sent[]): Failure | null {
  const [first, ...more] = sent.flatMap(({ refused }) => refused ?? []);
  if (first === undefined || more.length === 0) return first ?? null;
  return { ...first, message: `${first.message}; ${more.length} more of the lock files were refused too` };
}
