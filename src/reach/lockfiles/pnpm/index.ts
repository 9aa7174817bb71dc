import type { LockfileKind } from '../lockfile-kind.js';

export const pnpm: LockfileKind = {
  names: ['pnpm-lock.yaml'],
  ecosystem: 'npm',
  tool: 'pnpm',
  read: async (source) => (await import('./pnpm-lock.js')).readPnpmLock(source),
};
