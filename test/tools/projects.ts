import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { folderWith } from '../reach/folder.js';
import { dataFile, hasData } from '../support/data.js';
import { type Manager, type ManagerName, managers, run } from './package-managers.js';
import { filesIn } from './snapshot.js';

/** A project whose lock file a manager has written, or takes over from another. */
export interface Project {
  readonly name: string;
  readonly manager: ManagerName;
  /** Its files, by path. */
  readonly files: () => Files;
  /** Manifests that allow newer versions than the manager has locked before. */
  readonly loosened?: Files;
}

type Files = Readonly<Record<string, string>>;

const manifest = z.looseObject({ packageManager: z.string().optional() });
const lockfiles = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

const readJson = (text: string) => manifest.parse(JSON.parse(text));

/** Real applications, each by all managers: they take over what npm has resolved. */
function ofData(): Project[] {
  if (!hasData) return [];
  const nodegoat = () => ({
    'package.json': readFileSync(dataFile('lockfiles/nodegoat/package.json'), 'utf8'),
    'package-lock.json': readFileSync(dataFile('lockfiles/nodegoat/package-lock.json'), 'utf8'),
  });
  const root = z.object({ packages: z.object({ '': z.unknown() }) });
  const juiceShop = () => {
    const lock = readFileSync(dataFile('lockfiles/juice-shop/package-lock.generated-2026-11-21.json'), 'utf8');
    return { 'package.json': JSON.stringify(root.parse(JSON.parse(lock)).packages['']), 'package-lock.json': lock };
  };
  const all: readonly ManagerName[] = ['npm 10', 'npm 11', 'pnpm 10', 'pnpm 11', 'yarn 1', 'yarn 4', 'bun'];
  const some: readonly ManagerName[] = ['npm 11', 'pnpm 11', 'bun'];
  return [
    ...all.map((manager) => ({ name: 'NodeGoat', manager, files: nodegoat })),
    ...some.map((manager) => ({ name: 'Juice Shop of 2026', manager, files: juiceShop })),
  ];
}

/** Each folder in that of TOOLS_PROJECTS is a project: its manifests, and one lock file at the top. */
function given(): Project[] {
  const folder = process.env['TOOLS_PROJECTS'];
  if (folder === undefined) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const root = path.join(folder, name);
      return { name, manager: managerOf(root), files: () => filesIn(root) };
    });
}

function managerOf(root: string): ManagerName {
  const has = (file: string) => existsSync(path.join(root, file));
  const { packageManager = '' } = readJson(readFileSync(path.join(root, 'package.json'), 'utf8'));
  if (has('pnpm-lock.yaml')) return packageManager.startsWith('pnpm@11') ? 'pnpm 11' : 'pnpm 10';
  if (has('bun.lock')) return 'bun';
  if (!has('yarn.lock')) return 'npm 11';
  const isBerry = /^__metadata:/m.test(readFileSync(path.join(root, 'yarn.lock'), 'utf8'));
  // Yarn 4 takes over the lock file of Yarn 1.
  return isBerry || packageManager.startsWith('yarn@4') ? 'yarn 4' : 'yarn 1';
}

/** Old versions of well-known packages, of which each asks for others at one version or in a range. */
const old = {
  api: { express: '4.16.0', lodash: '4.17.11', handlebars: '4.0.11', 'node-fetch': '2.6.0', ws: '7.4.5', ejs: '2.7.4' },
  web: { axios: '0.21.0', marked: '0.3.19', 'serialize-javascript': '2.1.0', mkdirp: '0.5.1', lodash: '4.17.15' },
  root: { minimist: '1.2.0', semver: '5.7.1', ini: '1.3.5', jsonwebtoken: '8.5.1' },
};

/** Projects that a manager resolves itself: one alone, and one with workspaces. What is locked is older than what most ranges allow. */
function made(): Project[] {
  const text = (content: unknown) => JSON.stringify(content);
  const alone = (dependencies: unknown) => ({ 'package.json': text({ name: 'shop', version: '1.0.0', dependencies }) });
  const workspaces = (root: unknown, api: unknown, web: unknown) => ({
    'package.json': text({
      ...{ name: 'shop', version: '1.0.0', private: true, workspaces: ['packages/*'], devDependencies: root },
    }),
    'packages/api/package.json': text({ name: 'api', version: '1.0.0', dependencies: api }),
    'packages/web/package.json': text({ name: 'web', version: '1.0.0', dependencies: web }),
  });
  const loose = (pinned: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(pinned).map(([name, version]) => [name, name < 'l' ? `^${version}` : version]));
  const { api, web, root } = old;
  const names: readonly ManagerName[] = ['npm 10', 'npm 11', 'pnpm 10', 'pnpm 11', 'yarn 1', 'yarn 4', 'bun'];
  return names.flatMap((manager): Project[] => [
    {
      ...{ name: 'made, alone', manager, files: () => alone({ ...api, ...root }) },
      loosened: alone(loose({ ...api, ...root })),
    },
    {
      ...{ name: 'made, workspaces', manager },
      files: () => ({ ...workspaces(root, api, web), 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }),
      loosened: workspaces(loose(root), loose(api), loose(web)),
    },
  ]);
}

export const projects: readonly Project[] = [...made(), ...ofData(), ...given()];

/** Packages from Git or an address need more than a registry. */
const isElsewhere = (range: unknown) =>
  typeof range === 'string' && /^(?:git|https?:|github:|[\w.-]+\/[\w.-]+(?:#|$))/.test(range);

interface OpenProject {
  readonly folder: string;
  /** What the manager says of it before any edit. */
  readonly said: string;
}

/** A copy of the project in a temporary folder, as its manager leaves it when nothing is edited. */
export async function openProject({ manager: name, files, loosened = {} }: Project): Promise<OpenProject> {
  const manager = managers[name];
  const { 'pnpm-workspace.yaml': workspace, ...others } = files();
  const isPnpm = manager.command === 'pnpm' && workspace !== undefined;
  const folder = folderWith({ ...others, ...(isPnpm && { 'pnpm-workspace.yaml': workspace }) });
  settleAll(folder, Object.keys(others), null);
  await takeOver(folder, manager);
  settleAll(folder, ['package.json'], manager);
  let said = await succeed(manager, folder, `${manager.command} install`);
  if (Object.keys(loosened).length > 0) {
    for (const [file, text] of Object.entries(loosened)) writeFileSync(path.join(folder, file), text);
    settleAll(folder, ['package.json'], manager);
    said += await succeed(manager, folder, `${manager.command} install`);
  }
  return { folder, said };
}

function settleAll(folder: string, files: readonly string[], manager: Manager | null): void {
  for (const file of files.filter((each) => path.basename(each) === 'package.json')) {
    settle(path.join(folder, file), manager);
  }
}

/** Makes a manifest one that the manager of this test can read, with no network but the registry. */
function settle(file: string, manager: Manager | null): void {
  const { engines: _, devEngines: __, packageManager: ___, ...content } = readJson(readFileSync(file, 'utf8'));
  const kept = Object.entries(content).map(([key, value]) => {
    const section =
      key.endsWith('ependencies') || key === 'resolutions' || key === 'overrides'
        ? z.record(z.string(), z.unknown()).safeParse(value)
        : undefined;
    if (section?.success !== true) return [key, value];
    return [key, Object.fromEntries(Object.entries(section.data).filter(([, range]) => !isElsewhere(range)))];
  });
  const own = manager === null ? {} : { packageManager: manager.packageManager };
  writeFileSync(file, JSON.stringify({ ...Object.fromEntries(kept), ...own }, null, 2));
}

/** Lets the manager read the lock file that npm has written. */
async function takeOver(folder: string, manager: Manager): Promise<void> {
  const others = lockfiles.filter((file) => file !== manager.lockfile && existsSync(path.join(folder, file)));
  if (others.length === 0) {
    if (manager === managers['yarn 4'] && !existsSync(path.join(folder, 'yarn.lock')))
      writeFileSync(path.join(folder, 'yarn.lock'), '');
    return;
  }
  if (manager.command === 'pnpm') await succeed(manager, folder, 'pnpm import');
  if (manager.command === 'yarn') await succeed(managers['yarn 1'], folder, 'yarn import');
  if (manager.command === 'bun') await succeed(manager, folder, 'bun install');
  for (const file of [...others, 'node_modules']) rmSync(path.join(folder, file), { recursive: true, force: true });
}

async function succeed(manager: Manager, folder: string, line: string): Promise<string> {
  const { ok, output } = await run(manager, folder, line);
  if (!ok) throw new Error(`${line} fails before any edit: ${output.slice(-3000)}`);
  return output;
}
