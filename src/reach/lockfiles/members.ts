import { pathPattern } from '../languages/javascript/project/path-pattern.js';
import type { Source } from './source.js';

/** Levels of folders below a project that `**` means. */
const maxDepth = 8;

/** More patterns than any project has; each is compared with each folder. */
const maxPatterns = 500;

/**
 * The folders that the patterns of a workspace mean, each with a manifest of this name; `!` leaves some out. Null where a pattern finds
 * none or is not understood: then not all members are known.
 */
export async function memberFolders(
  source: Source,
  patterns: readonly string[],
  manifest: string,
): Promise<readonly string[] | null> {
  if (patterns.length > maxPatterns) return null;
  const included = patterns.filter((pattern) => !pattern.startsWith('!'));
  if (included.length === 0) return [];
  const wanted = included.flatMap((pattern) => pathPattern(pattern) ?? []);
  if (wanted.length < included.length) return null;
  const left = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .flatMap((each) => pathPattern(each.slice(1)) ?? []);
  const depths = included.map((pattern) => (pattern.includes('**') ? maxDepth : pattern.split('/').length));
  const folders = await source.foldersWith(manifest, Math.min(maxDepth, Math.max(...depths)));
  if (!wanted.every((test) => folders.some(test))) return null;
  return folders.filter((folder) => wanted.some((test) => test(folder)) && !left.some((test) => test(folder)));
}
