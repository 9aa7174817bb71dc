import { dirname } from 'node:path';
import { keptUnread, maxUnreadParts, type UnreadPart, unreadPart } from '../../procedures/unread.js';
import type { Lockfile } from '../lockfiles/lockfile.js';
import { openSource } from '../lockfiles/open-source.js';
import { manifestName } from './manifest-name.js';

/** All that a lock file's source names and cannot place: its own parts, those beside it, and the project itself. */
export async function unreadOfSource(
  { path, ecosystem, unread }: Lockfile,
  beside: readonly UnreadPart[],
): Promise<UnreadPart[]> {
  const name = await manifestName(dirname(path), ecosystem);
  const own = unreadPart.safeParse({ ecosystem, name, reason: 'own' });
  const all = [...unread, ...beside, ...(name !== null && own.success ? [own.data] : [])];
  return keptUnread(all.slice(0, maxUnreadParts), all.length, null);
}

/** Lines as `django==2.0` and `-r base.txt`. Prose has none. */
const requirement = /^\s*(?:[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\]\s*)?(?:[=~<>!]=|[<>])\s*\d|-(?:r|c|e)\s)/m;

/** What a text file that cannot be read as requirements names, if it has any. `at` is its path in the tree. */
export async function unreadRequirements(path: string, at: string): Promise<UnreadPart[]> {
  const text = (await openSource(path).catch(() => null))?.text ?? '';
  if (!requirement.test(text)) return [];
  return [{ ecosystem: 'PyPI', name: null, reason: 'file_not_read', stated: null, at: at.slice(-200) }];
}
