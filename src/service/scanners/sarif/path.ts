import { clip, head } from '../../../shared/text/clip.js';
import type { ArtifactLocation, SarifRun } from './log.js';

type Context = Pick<SarifRun, 'originalUriBaseIds' | 'artifacts' | 'invocations'>;

/** Characters of a path. */
const longest = 1024;

/** Roots that a path is compared with. */
const mostRoots = 32;

/** Bases of bases; a report may have them go in a circle. */
const deepest = 16;

/**
 * Finds a file's path as a reader of the repository knows it: relative to what the report calls its root, without scheme,
 * `./` or a checkout's own folder. Two machines that check the repository out in different places then tell the same path.
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
  return artifacts?.[index]?.location ?? null;
}

/** Of an address that many results may share, no more than a path can have; no half of a surrogate pair at its end. */
function beginning(uri: string | null | undefined): string {
  return head(uri ?? '', 2 * longest).trim();
}

function isAbsolute(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.startsWith('/');
}

/** What a base adds below the root: a chain of relative bases. An absolute base is a root, and adds nothing. */
function relativeBase({ originalUriBaseIds }: Context, first: string | null | undefined): string {
  let path = '';
  let id = first;
  for (let depth = 0; depth < deepest && id !== null && id !== undefined; depth++) {
    const base: ArtifactLocation | undefined = ownBase(originalUriBaseIds, id);
    const uri = beginning(base?.uri);
    if (base === undefined || isAbsolute(uri)) break;
    if (uri !== '') path = `${uri.replace(/\/*$/, '/')}${path}`;
    id = base.uriBaseId;
  }
  return path;
}

function ownBase(bases: SarifRun['originalUriBaseIds'], id: string): ArtifactLocation | undefined {
  return bases !== null && bases !== undefined && Object.hasOwn(bases, id) ? bases[id] : undefined;
}

/** The report's absolute roots and the folders that the tool ran in, longest first, with a slash at their end. */
function rootsOf({ originalUriBaseIds, invocations }: Context): string[] {
  const given = [
    ...Object.values(originalUriBaseIds ?? {}),
    ...(invocations ?? []).map(({ workingDirectory }) => workingDirectory),
  ];
  return given
    .slice(0, mostRoots)
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

/** `/home/me/a.c` for `file:///home/me/a.c`; an address of another scheme stays. */
function withoutScheme(uri: string): string {
  return uri.replace(/^file:(?:\/\/[^/]*)?(?=\/|$)/i, '');
}

/** Decoded, with `/` between its parts, without those that say nothing. */
function tidy(path: string): string | null {
  const parts = decoded(path).replaceAll('\\', '/').split('/');
  const tidied = parts.filter((part, at) => part !== '.' && (part !== '' || (at > 0 && parts[at - 1]?.endsWith(':'))));
  const text = tidied.join('/').replace(/\p{Cc}/gu, '');
  return text === '' ? null : clip(text, longest);
}

function decoded(path: string): string {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? path : text;
  } catch {
    return path;
  }
}
