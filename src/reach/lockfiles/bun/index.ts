import type { LockfileKind } from '../lockfile-kind.js';

export const bun: LockfileKind = {
  names: ['bun.lock'],
  ecosystem: 'npm',
  tool: 'bun',
  read: async (source) => (await import('./bun-lock.js')).readBunLock(source),
};
