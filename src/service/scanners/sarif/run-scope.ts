import { shortHash } from '../../findings/identity.js';
import type { SarifRun } from './log.js';
import { absolutePath } from './path.js';

/** Bases that a chain is followed through; in a report they may form a circle. */
const maxDepth = 16;

/** Invocations that are looked at. */
const maxInvocations = 32;

/**
 * What a run was limited to, as words of `Seer.scope`: the folders that it ran in (3.20.19), relative to the checkout where
 * the run says where that is (3.14.15). Two runs of one tool in `frontend` and `backend` know nothing of each other. Empty
 * where the run names no folder, or the root of the checkout.
 */
export function scopeOfRun(run: SarifRun): string[] {
  const checkouts = (run.versionControlProvenance ?? [])
    .slice(0, maxInvocations)
    .map(({ mappedTo }) => resolve(run, mappedTo));
  const mapped = checkouts.filter((path) => path !== '');
  const folders = (run.invocations ?? [])
    .slice(0, maxInvocations)
    .map(({ workingDirectory }) => resolve(run, workingDirectory))
    .filter((path) => path !== '')
    .map((path) => relativeTo(mapped, path));
  const named = [...new Set([...(folders.length === 0 ? relativeOnly(mapped) : folders)])]
    .filter((path) => path !== '')
    .sort();
  return named.length === 0 ? [] : [`in ${shortHash(named)}`];
}

type Location = { readonly uri?: string | null | undefined; readonly uriBaseId?: string | null | undefined };

/** The path of a location with the bases it names; empty where it names nothing. */
function resolve({ originalUriBaseIds: bases }: SarifRun, location: Location | null | undefined): string {
  let path = absolutePath(location?.uri);
  let id = location?.uriBaseId;
  for (let depth = 0; depth < maxDepth && !path.startsWith('/') && id !== null && id !== undefined; depth++) {
    const base: Location | undefined =
      bases !== null && bases !== undefined && Object.hasOwn(bases, id) ? bases[id] : undefined;
    path = `${absolutePath(base?.uri).replace(/\/*$/, '/')}${path}`;
    id = base?.uriBaseId;
  }
  return path;
}

/** The folder below the checkout it is in; where none is known, the folder without the parts that change from run to run. */
function relativeTo(checkouts: readonly string[], path: string): string {
  const folder = path.replace(/\/*$/, '/');
  const root = checkouts.map((each) => each.replace(/\/*$/, '/')).find((each) => folder.startsWith(each));
  if (root !== undefined) return folder.slice(root.length);
  return folder
    .split('/')
    .map((part) => (isVolatile(part) ? '#' : part))
    .join('/');
}

/** A checkout that is mapped to a relative folder alone. */
function relativeOnly(checkouts: readonly string[]): string[] {
  return checkouts.filter((path) => !path.startsWith('/'));
}

/** Numbers and random names of workspaces, as `1`, `s@2`, `tmpab12cd` or a hash. */
function isVolatile(part: string): boolean {
  return /^\d+$|@\d+$|^tmp.|^[0-9a-f-]{8,}$/i.test(part);
}
