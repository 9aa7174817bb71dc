import type { LockfileKind } from '../lockfile-kind.js';

export const pipenv: LockfileKind = {
  names: ['Pipfile.lock'],
  ecosystem: 'PyPI',
  tool: 'pipenv',
  read: async (source) => (await import('./pipfile-lock.js')).readPipfileLock(source),
};
