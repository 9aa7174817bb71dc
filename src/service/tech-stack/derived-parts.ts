import { keptUnread, maxUnreadParts, type UnreadPart } from '../../procedures/unread.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { isOneRelease } from '../matching/versions/index.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { ItemRow } from './item-row.js';
import { writeSource } from './source-contents.js';
import type { StackPackage } from './stack-package.js';

/** Characters of what an unread part states. */
const maxStated = 200;

type Versioned = Pick<StackPackage, 'ecosystem' | 'name' | 'version'>;

/**
 * Packages whose version has no place in the order, or is a branch, are tracked, and no "no" about them is known
 * either. The same is true of Go's standard library, where a source has modules and does not state it.
 */
export function withDerivedParts(packages: readonly Versioned[], unread: readonly UnreadPart[]): UnreadPart[] {
  const modules = packages.filter(({ ecosystem }) => ecosystem === 'Go');
  const isStated = modules.length === 0 || modules.some(({ name }) => name === 'stdlib');
  const library: UnreadPart = { ecosystem: 'Go', name: 'stdlib', reason: 'of_runtime', stated: null, at: null };
  const all = [...unread, ...packages.flatMap(partsOf), ...(isStated ? [] : [library])];
  return keptUnread(all.slice(0, maxUnreadParts), all.length, null);
}

function partsOf({ ecosystem, name, version }: Versioned): UnreadPart[] {
  if (isOneRelease(ecosystem, version)) return [];
  return [{ ecosystem, name, reason: 'not_a_version', stated: version.slice(0, maxStated), at: null }];
}

/** The same where one package of a source is added, changed or removed by hand. */
export async function changeDerivedParts(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  { before, after }: { readonly before?: ItemRow; readonly after?: ItemRow },
): Promise<void> {
  const source = (after ?? before)?.source;
  const [old, own] = [before, after].map((row) => (row === undefined ? [] : partsOf(row)));
  if (source === undefined || old === undefined || own === undefined || old.length + own.length === 0) return;
  const row = await tx
    .selectFrom('stack_sources')
    .select(['direct_known', 'unread', 'tool'])
    .where(inScope({ organisationId, projectId }))
    .where('source', '=', source)
    .executeTakeFirst();
  const gone = new Set(old.map(identityOf));
  const unread = [...(row?.unread ?? []).filter((part) => !gone.has(identityOf(part))), ...own];
  const kept = keptUnread(unread.slice(0, maxUnreadParts), unread.length, null);
  const contents = { directKnown: row?.direct_known ?? null, unread: kept, tool: row?.tool ?? null };
  await writeSource(tx, { organisationId, projectId }, source, contents, new Date());
}

function identityOf({ ecosystem, name, reason, stated, at }: UnreadPart): string {
  return JSON.stringify([ecosystem, name, reason, stated, at]);
}
