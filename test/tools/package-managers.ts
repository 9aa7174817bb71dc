import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { node22 } from '../support/node-22.js';

export type ManagerName = 'npm 10' | 'npm 11' | 'pnpm 10' | 'pnpm 11' | 'yarn 1' | 'yarn 4' | 'bun';

/** A package manager at one version, which resolves and installs nothing where it can. */
export interface Manager {
  readonly command: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly lockfile: string;
  /** As package.json's `packageManager` names it. */
  readonly packageManager: string;
  /** Below node_modules. A program of Node, but for Bun. */
  readonly program: string;
  readonly flags: readonly string[];
}

const npmFlags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
const pnpmFlags = ['--lockfile-only', '--ignore-scripts'];

export const managers: Readonly<Record<ManagerName, Manager>> = {
  'npm 10': {
    ...{ command: 'npm', lockfile: 'package-lock.json', packageManager: 'npm@10.9.9' },
    ...{ program: 'npm-10/bin/npm-cli.js', flags: npmFlags },
  },
  'npm 11': {
    ...{ command: 'npm', lockfile: 'package-lock.json', packageManager: 'npm@11.19.1' },
    ...{ program: 'npm-11/bin/npm-cli.js', flags: npmFlags },
  },
  'pnpm 10': {
    ...{ command: 'pnpm', lockfile: 'pnpm-lock.yaml', packageManager: 'pnpm@10.34.9' },
    ...{ program: 'pnpm-10/bin/pnpm.cjs', flags: pnpmFlags },
  },
  'pnpm 11': {
    ...{ command: 'pnpm', lockfile: 'pnpm-lock.yaml', packageManager: 'pnpm@11.28.11' },
    ...{ program: 'pnpm-11/bin/pnpm.mjs', flags: pnpmFlags },
  },
  // Yarn 1 cannot resolve without an installation.
  'yarn 1': {
    ...{ command: 'yarn', lockfile: 'yarn.lock', packageManager: 'yarn@1.22.22' },
    ...{
      program: 'yarn-1/bin/yarn.js',
      flags: ['--ignore-scripts', '--ignore-engines', '--non-interactive', '--silent'],
    },
  },
  'yarn 4': {
    ...{ command: 'yarn', lockfile: 'yarn.lock', packageManager: 'yarn@4.18.1' },
    ...{ program: 'yarn-4/bin/yarn.js', flags: ['--mode=update-lockfile'] },
  },
  bun: {
    ...{ command: 'bun', lockfile: 'bun.lock', packageManager: 'bun@1.4.5' },
    ...{ program: `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun` },
    flags: ['--lockfile-only', '--ignore-scripts'],
  },
};

interface Ran {
  readonly ok: boolean;
  readonly output: string;
}

const shared = path.join(tmpdir(), 'postern-package-managers');

/** Kept for the next run: archives and what registries said. */
const caches = {
  npm_config_cache: path.join(shared, 'npm'),
  npm_config_store_dir: path.join(shared, 'pnpm-store'),
  npm_config_cache_dir: path.join(shared, 'pnpm-cache'),
  YARN_CACHE_FOLDER: path.join(shared, 'yarn'),
  YARN_GLOBAL_FOLDER: path.join(shared, 'yarn-4'),
  BUN_INSTALL_CACHE_DIR: path.join(shared, 'bun'),
};

/** Projects name versions of tools and of Node that are not those here; a lock file that follows an edit is what is wanted. */
const settings = {
  npm_config_manage_package_manager_versions: 'false',
  npm_config_engine_strict: 'false',
  npm_config_frozen_lockfile: 'false',
  npm_config_update_notifier: 'false',
  YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
  YARN_ENABLE_TELEMETRY: '0',
  YARN_ENABLE_HARDENED_MODE: '0',
  YARN_IGNORE_PATH: '1',
};

/** Runs a command of the manager, as `pnpm update -r a`, in a folder. */
export async function run({ command, program, flags }: Manager, folder: string, line: string): Promise<Ran> {
  const [first, ...words] = line.split(' ');
  if (first !== command) return { ok: false, output: `"${line}" is no command of ${command}` };
  mkdirSync(shared, { recursive: true });
  const node = await node22();
  const file = path.join(import.meta.dirname, 'node_modules', program);
  // What takes over another manager’s lock file has no such options.
  const options = words[0] === 'import' ? [] : flags;
  const [start, ...args] = command === 'bun' ? [file, ...words, ...options] : [node, file, ...words, ...options];
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH, ...caches, ...settings };
  return new Promise((done) => {
    execFile(
      start ?? '',
      args,
      { cwd: folder, env, timeout: 900_000, maxBuffer: 256_000_000 },
      (error, stdout, stderr) => {
        done({ ok: error === null, output: `${stdout}${stderr}` });
      },
    );
  });
}
