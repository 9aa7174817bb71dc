import { clip, head } from '../../../shared/text/cut.js';
import type { ArtifactLocation, SarifRun } from './log.js';

type Context = Pick<SarifRun, 'originalUriBaseIds' | 'artifacts' | 'invocations'>;

/** Characters of a path. */
const maxLength = 1024;

/** Roots that a path is compared with. */
const maxRoots = 32;

/** Length of a chain of bases; in a report they may form a circle. */
const maxDepth = 16;

/**
 * Finds a file's path in the repository: relative to the root that the report names, without scheme, `./` or the folder of
 * the checkout. Machines that check the repository out in different places then give the same path.
 */
export function pathFinder(context: Context): (location: ArtifactLocation | null | undefined) => string | null {
  const roots = rootsOf(context);
  return (location) => {
    const named = location?.uri === undefined || location.uri === null ? artifactOf(context, location) : location;
    const uri = beginning(named?.uri);
    if (named === null || uri === '') return null;
    const path = isAbsolute(uri) ? withoutRoot(roots, uri) : `${relativeBase(context, named.uriBaseId)}${uri}`;
    return tidy(path);
  };
}

function artifactOf({ artifacts }: Context, location: ArtifactLocation | null | undefined): ArtifactLocation | null {
  const index = location?.index ?? -1;
  return artifacts[index]?.location ?? null;
}

/** As much of an address as a path can need: many results may share a long one. */
function beginning(uri: string | null | undefined): string {
  return head(uri ?? '', 2 * maxLength).trim();
}

function isAbsolute(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.startsWith('/');
}

/** The folder below the root that a chain of relative bases names. An absolute base is a root, and adds nothing. */
function relativeBase({ originalUriBaseIds }: Context, first: string | null | undefined): string {
  let path = '';
  let id = first;
  for (let depth = 0; depth < maxDepth && id !== null && id !== undefined; depth++) {
    const base: ArtifactLocation | undefined = baseById(originalUriBaseIds, id);
    const uri = beginning(base?.uri);
    if (base === undefined || isAbsolute(uri)) break;
    if (uri !== '') path = `${uri.replace(/\/*$/, '/')}${path}`;
    id = base.uriBaseId;
  }
  return path;
}

function baseById(bases: SarifRun['originalUriBaseIds'], id: string): ArtifactLocation | undefined {
  return Object.hasOwn(bases, id) ? bases[id] : undefined;
}

/** The report's absolute roots and the folders that the tool ran in, longest first, with a slash at their end. */
function rootsOf({ originalUriBaseIds, invocations }: Context): string[] {
  const locations = [
    ...Object.values(originalUriBaseIds),
    ...invocations.map(({ workingDirectory }) => workingDirectory),
  ];
  return locations
    .slice(0, maxRoots)
    .map((base) => beginning(base?.uri))
    .filter(isAbsolute)
    .map((root) => `${withoutScheme(root).replace(/\/+$/, '')}/`)
    .filter((root) => root !== '/')
    .sort((a, b) => b.length - a.length);
}

/** An absolute address below one of the roots loses it. */
function withoutRoot(roots: readonly string[], uri: string): string {
  const path = withoutScheme(uri);
  const root = roots.find((each) => path.startsWith(each)) ?? '';
  return path.slice(root.length);
}

/** A folder's path as far as it is read: without scheme, and with `/` between its parts. */
export function absolutePath(uri: string | null | undefined): string {
  return withoutScheme(beginning(uri)).replaceAll('\\', '/');
}

/** `/home/me/a.c` for `file:///home/me/a.c`; an address of another scheme stays. */
function withoutScheme(uri: string): string {
  return uri.replace(/^file:(?:\/\/[^/]*)?(?=\/|$)/i, '');
}

/** Decoded, with `/` between its parts, without empty ones and `.`. */
function tidy(path: string): string | null {
  const parts = decoded(path).replaceAll('\\', '/').split('/');
  const tidied = parts.filter((part, at) => part !== '.' && (part !== '' || (at > 0 && parts[at - 1]?.endsWith(':'))));
  const text = tidied.join('/').replace(/\p{Cc}/gu, '');
  return text === '' ? null : clip(text, maxLength);
}

function decoded(path: string): string {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? path : text;
  } catch {
    return path;
  }
}
