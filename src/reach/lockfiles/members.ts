import { pathPattern } from '../languages/javascript/project/path-pattern.js';
import type { Source } from './source.js';

/** Levels of folders below a project that `**` means. */
const maxDepth = 8;

/** More patterns than any project has; each is compared with each folder. */
const maxPatterns = 500;

/** Folders of a workspace's members. */
interface MemberFolders {
  readonly folders: readonly string[];
  /** False where a pattern finds none or is not understood. */
  readonly complete: boolean;
}

/** The folders that the patterns of a workspace mean, each with a manifest of this name; `!` leaves some out. */
export async function memberFolders(
  source: Source,
  patterns: readonly string[],
  manifest: string,
): Promise<MemberFolders> {
  const included = patterns.slice(0, maxPatterns).filter((pattern) => !pattern.startsWith('!'));
  if (included.length === 0) return { folders: [], complete: true };
  const wanted = included.flatMap((pattern) => pathPattern(pattern) ?? []);
  const left = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .flatMap((each) => pathPattern(each.slice(1)) ?? []);
  const depths = included.map((pattern) => (pattern.includes('**') ? maxDepth : pattern.split('/').length));
  const folders = await source.foldersWith(manifest, Math.min(maxDepth, Math.max(...depths)));
  return {
    folders: folders.filter((folder) => wanted.some((test) => test(folder)) && !left.some((test) => test(folder))),
    complete:
      patterns.length <= maxPatterns && wanted.length === included.length && wanted.every((test) => folders.some(test)),
  };
}
