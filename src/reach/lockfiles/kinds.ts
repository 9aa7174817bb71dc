import { basename } from 'node:path';
import type { Ecosystem } from './package-list.js';

/** Lock files by name. Of several in one folder for the same ecosystem, the first of this order is taken. */
export const lockfileKinds = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'composer.lock',
] as const;

export type LockfileKind = (typeof lockfileKinds)[number];

/** The tool that writes each, as package.json's `packageManager` spells it. */
export const toolOf = {
  'npm-shrinkwrap.json': 'npm',
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'composer.lock': 'composer',
} as const satisfies Readonly<Record<LockfileKind, string>>;

export const ecosystemOf: Readonly<Record<LockfileKind, Ecosystem>> = {
  'npm-shrinkwrap.json': 'npm',
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'npm',
  'yarn.lock': 'npm',
  'composer.lock': 'Packagist',
};

/** The kind of lock file that a path names, or null. */
export function detect(path: string): LockfileKind | null {
  return lockfileKinds.find((kind) => kind === basename(path)) ?? null;
}
