import type { LockfileKind } from '../lockfile-kind.js';
import { toolIn } from '../manifest.js';

export const bun: LockfileKind = {
  names: ['bun.lock'],
  ecosystem: 'npm',
  tool: 'bun',
  read: async (source) => ({
    ...(await (await import('./bun-lock.js')).readBunLock(source)),
    tool: await toolIn(source, 'bun'),
  }),
};
