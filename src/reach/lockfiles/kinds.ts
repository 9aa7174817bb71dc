import { basename } from 'node:path';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';

/** What each lock file is of, and the tool that writes it, as package.json's `packageManager` spells it where it can. */
const kinds = {
  'npm-shrinkwrap.json': { ecosystem: 'npm', tool: 'npm' },
  'package-lock.json': { ecosystem: 'npm', tool: 'npm' },
  'pnpm-lock.yaml': { ecosystem: 'npm', tool: 'pnpm' },
  'yarn.lock': { ecosystem: 'npm', tool: 'yarn' },
  'bun.lock': { ecosystem: 'npm', tool: 'bun' },
  'uv.lock': { ecosystem: 'PyPI', tool: 'uv' },
  'poetry.lock': { ecosystem: 'PyPI', tool: 'poetry' },
  'Pipfile.lock': { ecosystem: 'PyPI', tool: 'pipenv' },
  'requirements.txt': { ecosystem: 'PyPI', tool: 'pip' },
  'go.mod': { ecosystem: 'Go', tool: 'go' },
  'Cargo.lock': { ecosystem: 'crates.io', tool: 'cargo' },
  'Gemfile.lock': { ecosystem: 'RubyGems', tool: 'bundler' },
  'composer.lock': { ecosystem: 'Packagist', tool: 'composer' },
  'gradle.lockfile': { ecosystem: 'Maven', tool: 'gradle' },
  'pom.xml': { ecosystem: 'Maven', tool: 'maven' },
  'packages.lock.json': { ecosystem: 'NuGet', tool: 'nuget' },
} as const satisfies Readonly<Record<string, { readonly ecosystem: Ecosystem; readonly tool: string }>>;

export type LockfileKind = keyof typeof kinds;

/** Lock files by name. Of several in one folder for the same ecosystem, the first of this order is taken. */
export const lockfileKinds = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'uv.lock',
  'poetry.lock',
  'Pipfile.lock',
  'requirements.txt',
  'go.mod',
  'Cargo.lock',
  'Gemfile.lock',
  'composer.lock',
  'gradle.lockfile',
  'pom.xml',
  'packages.lock.json',
] as const satisfies readonly LockfileKind[];

export function toolOf(kind: LockfileKind): string {
  return kinds[kind].tool;
}

export function ecosystemOf(kind: LockfileKind): Ecosystem {
  return kinds[kind].ecosystem;
}

/** The kind of lock file that a path names, or null. */
export function detect(path: string): LockfileKind | null {
  const name = basename(path);
  return lockfileKinds.find((kind) => kind === name) ?? null;
}
