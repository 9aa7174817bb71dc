import type { LockfileKind } from '../lockfile-kind.js';

export const poetry: LockfileKind = {
  names: ['poetry.lock'],
  ecosystem: 'PyPI',
  tool: 'poetry',
  read: async (source) => (await import('./poetry-lock.js')).readPoetryLock(source),
};
