import type { LockfileKind } from '../lockfile-kind.js';

export const uv: LockfileKind = {
  names: ['uv.lock'],
  ecosystem: 'PyPI',
  tool: 'uv',
  read: async (source) => (await import('./uv-lock.js')).readUvLock(source),
};
