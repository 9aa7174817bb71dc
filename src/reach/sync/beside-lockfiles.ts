import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { UnreadPart } from '../../procedures/unread.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { WalkedTree } from '../analysis/tree.js';
import {
  isTestData,
  projectFolderOf,
  type TreeChoice,
  treeLockfileReader,
  treeSource,
} from '../analysis/tree-lockfiles.js';
import { fileNameOf, folderOf, isWithin } from '../languages/tree-path.js';
import { askingManifest, asksOf, comparable } from '../lockfiles/asking-manifests.js';
import { detect, isNamedByFolder } from '../lockfiles/kinds.js';
import type { Reading } from '../lockfiles/package-list.js';
import { refusalOf } from '../lockfiles/refusals.js';
import { unlessInvalid } from '../lockfiles/source.js';
import { unreadRequirements } from './unread-of-source.js';

/** A lock file of the tree, read. */
interface ReadLockfile extends Pick<Reading, 'packages' | 'unread'> {
  /** Its path in the tree. */
  readonly treePath: string;
  readonly ecosystem: Ecosystem;
}

/** Characters of a path in an unread part. */
const maxPath = 200;

/**
 * What a tree names outside of the lock files that are read: lock files that are not taken or not read, and manifests
 * without one. Nobody may take what they ask for as absent.
 */
export async function partsBeside(
  tree: WalkedTree,
  choice: TreeChoice,
  read: readonly ReadLockfile[],
): Promise<UnreadPart[]> {
  const notRead = choice.unread.map(({ path, ecosystem }) => nameless(ecosystem, 'file_not_read', path));
  const rivals: UnreadPart[] = [];
  for (const path of choice.rivals) rivals.push(...(await partsOfRival(tree, path, read)));
  return [...notRead, ...rivals, ...linkedOutside(tree), ...(await unlocked(tree, read))];
}

function nameless(ecosystem: Ecosystem | null, reason: UnreadPart['reason'], path: string): UnreadPart {
  return { ecosystem, name: null, reason, stated: null, at: path.slice(-maxPath) };
}

/** What a lock file that is not taken has and the others have not: nothing tells which of the tools is in use. */
async function partsOfRival(tree: WalkedTree, path: string, read: readonly ReadLockfile[]): Promise<UnreadPart[]> {
  const ecosystem = detect(`/${path}`)?.ecosystem ?? refusalOf(path)?.ecosystem ?? null;
  const rival = await readOrNull(tree, path);
  if (rival === null && isNamedByFolder(`/${path}`)) return unreadRequirements(join(tree.root, path), path);
  if (rival === null || ecosystem === null) return [nameless(ecosystem, 'file_not_read', path)];
  const same = read.filter((each) => each.ecosystem === ecosystem).flatMap(({ packages }) => packages);
  const versions = new Set(same.map(({ name, version }) => `${comparable(ecosystem, name)} ${version}`));
  const names = new Set(same.map(({ name }) => comparable(ecosystem, name)));
  const at = path.slice(-maxPath);
  const others = rival.packages
    .filter(({ name, version }) => !versions.has(`${comparable(ecosystem, name)} ${version}`))
    .map(({ name, version: stated }) => ({ ecosystem, name, reason: 'other_lock_file' as const, stated, at }));
  const parts = rival.unread.filter(
    ({ name, reason }) => reason !== 'direct_only' && (name === null || !names.has(comparable(ecosystem, name))),
  );
  const all = [...others, ...parts.map((part) => ({ ...part, at }))];
  // Of another environment than the one that is taken, a list of direct packages hides the rest.
  const hides = all.length > 0 && rival.unread.some(({ reason }) => reason === 'direct_only');
  return hides ? [...all, nameless(ecosystem, 'direct_only', path)] : all;
}

function readOrNull(tree: WalkedTree, path: string): Promise<Reading | null> {
  return unlessInvalid(() => treeLockfileReader(tree)(path), null);
}

/** Lock files that are symbolic links out of the tree: nothing outside is read. */
function linkedOutside(tree: WalkedTree): UnreadPart[] {
  return tree.links.flatMap((path) => {
    const ecosystem = detect(`/${path}`)?.ecosystem;
    if (ecosystem === undefined || isTestData(folderOf(path)) || isInTree(tree, path)) return [];
    return nameless(ecosystem, 'file_not_read', path);
  });
}

function isInTree({ root }: WalkedTree, path: string): boolean {
  try {
    return realpathSync(join(root, path)).startsWith(join(root, '/'));
  } catch {
    // It leads nowhere.
    return true;
  }
}

/** Manifests that ask for packages which no lock file has. */
async function unlocked(tree: WalkedTree, read: readonly ReadLockfile[]): Promise<UnreadPart[]> {
  const sourceOf = treeSource(tree);
  const parts: UnreadPart[] = [];
  for (const { path } of tree.files) {
    const manifest = askingManifest(fileNameOf(path));
    const folder = folderOf(path);
    if (manifest === null || isTestData(folder)) continue;
    const { ecosystem, lockedBy } = manifest;
    const locks = read.filter((each) => each.ecosystem === ecosystem);
    if (locks.some((each) => lockedFolder(each) === folder)) continue;
    const source = sourceOf(path);
    const asked = source === null ? null : await asksOf(manifest, source);
    const above = lockedBy === 'above' ? locks.filter((each) => isWithin(folder, lockedFolder(each))) : [];
    const locked = new Set(above.flatMap(namesIn));
    if (asked === null || !asked.every((name) => locked.has(comparable(ecosystem, name)))) {
      parts.push(nameless(ecosystem, 'no_lock_file', path));
    }
  }
  return parts;
}

function lockedFolder({ treePath }: ReadLockfile): string {
  const kind = detect(`/${treePath}`);
  return kind === null ? folderOf(treePath) : projectFolderOf(treePath, kind);
}

function namesIn({ ecosystem, packages, unread }: ReadLockfile): string[] {
  return [...packages, ...unread].flatMap(({ name }) => (name === null ? [] : comparable(ecosystem, name)));
}
