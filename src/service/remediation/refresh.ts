import { type Asking, partsOf } from './edit-rules.js';
import type { Place } from './edits.js';
import { isShellWord } from './shell-word.js';
import { isBefore, type Version, versionOf } from './tool-version.js';

interface Tool {
  /** Makes the lock file follow edits; absent where the refresh by name does. */
  readonly install?: string;
  /** Behind it stand the names of packages that take the newest version within the ranges of all who ask, with no edit. */
  readonly refresh?: string;
  /** Before each name. */
  readonly option?: string;
  /** It leaves an edited package as it is locked until it is asked for it by name. */
  readonly keepsEdited?: true;
  /** The first version that has it. */
  readonly since?: Version;
  /** Without this option it leaves out the workspaces; with it, a project that has none. */
  readonly inWorkspaces?: string;
  /** Before this version it updates either what manifests ask for or what others bring in, and says nothing of the other names. */
  readonly mixesSince?: Version;
}

/** By the lock file's name, in small letters. */
const tools: Readonly<Record<string, Tool>> = {
  'package-lock.json': { install: 'npm install', refresh: 'npm update', keepsEdited: true },
  'npm-shrinkwrap.json': { install: 'npm install', refresh: 'npm update', keepsEdited: true },
  'pnpm-lock.yaml': {
    install: 'pnpm install',
    refresh: 'pnpm update --no-save',
    inWorkspaces: '-r',
    mixesSince: [11, 0],
  },
  // Without -R it goes past the ranges. Yarn 1 has a command only for what a single package.json asks for.
  'yarn.lock': { install: 'yarn install', refresh: 'yarn up -R', since: [2, 0] },
  // An older one writes what others bring in into package.json.
  'bun.lock': { install: 'bun install', refresh: 'bun update -r', since: [1, 4] },
  'cargo.lock': { refresh: 'cargo update', keepsEdited: true },
  'poetry.lock': { refresh: 'poetry update', keepsEdited: true },
  'uv.lock': { refresh: 'uv lock', option: '--upgrade-package ', keepsEdited: true },
  'pdm.lock': { refresh: 'pdm update', keepsEdited: true },
  'pipfile.lock': { refresh: 'pipenv update', keepsEdited: true },
  'gemfile.lock': { refresh: 'bundle update --conservative', keepsEdited: true },
  'gems.locked': { refresh: 'bundle update --conservative', keepsEdited: true },
  'composer.lock': { refresh: 'composer update', keepsEdited: true },
  'go.mod': { install: 'go mod tidy' },
};

type Source = Pick<Place, 'source' | 'tool'>;

function toolOf({ source }: Source): Tool | undefined {
  const file = partsOf(source).file.toLowerCase();
  return Object.hasOwn(tools, file) ? tools[file] : undefined;
}

function isSince({ tool }: Source, first: Version): boolean {
  const version = versionOf(tool);
  return version !== null && !isBefore(version, first);
}

/**
 * The entries of the lock file to delete so that a place takes the newest version within the ranges: none where the tool has a command.
 * Null where there is no way to it.
 *
 * @param places of the package in the source, in any version
 * @param askings what is known of the packages of the source that ask for it
 */
export function entriesToDelete(
  place: Place,
  places: readonly Place[],
  askings: readonly Asking[],
): readonly string[] | null {
  const { name, version, direct, asked_by, tool } = place;
  const { refresh, since, mixesSince } = toolOf(place) ?? {};
  if (refresh === undefined || !isShellWord(name)) return null;
  if (since === undefined || isSince(place, since)) {
    const isMixed = direct !== true && places.some((other) => other.direct !== false);
    return mixesSince !== undefined && !isSince(place, mixesSince) && isMixed ? null : [];
  }
  // Yarn 1 resolves anew what yarn.lock does not have.
  if (!/^yarn@1(?:\.|$)/.test(tool ?? '')) return null;
  const asked = askings.filter(({ gets }) => gets === version).map(({ range }) => range);
  const ranges = new Set([
    ...asked,
    ...(direct === true ? (asked_by ?? [{ range: null }]).map(({ range }) => range) : []),
  ]);
  if (direct === null || ranges.has(null) || ranges.size === 0) return null;
  return [...ranges].map((range) => `${name}@${range}`).toSorted();
}

/** The changes of one lock file. */
interface Followed extends Source {
  /** Some manifest that is not beside the lock file asks for packages. */
  readonly isWorkspace: boolean;
  /** The plan changes a file of it. */
  readonly isEdited: boolean;
  /** Packages that are refreshed or, with `isEdited`, named by an edit. Names as the source spells them. */
  readonly packages: readonly Asked[];
}

interface Asked {
  readonly name: string;
  /** Some manifest of the source asks for it, in any version. */
  readonly isAsked: boolean;
  /** It is edited, and not only refreshed. */
  readonly isEdited: boolean;
}

/** The commands to run beside the lock file, in this order. */
export function commandsFor(followed: Followed): string[] {
  const tool = toolOf(followed);
  if (tool === undefined) return [];
  const { install, refresh, since, inWorkspaces, mixesSince, option = '', keepsEdited } = tool;
  const { isWorkspace, isEdited } = followed;
  const refreshed = followed.packages.filter((each) => keepsEdited === true || !each.isEdited);
  const commands = isEdited && install !== undefined ? [install] : [];
  if (refresh === undefined || (since !== undefined && !isSince(followed, since))) return commands;
  const command = inWorkspaces !== undefined && isWorkspace ? `${refresh} ${inWorkspaces}` : refresh;
  const isApart = mixesSince !== undefined && !isSince(followed, mixesSince);
  const groups = isApart
    ? [true, false].map((asked) => refreshed.filter(({ isAsked }) => isAsked === asked))
    : [refreshed];
  for (const group of groups) {
    const names = [...new Set(group.map(({ name }) => name))].filter(isShellWord);
    if (names.length > 0) commands.push(`${command} ${names.map((name) => `${option}${name}`).join(' ')}`);
  }
  return commands;
}
