import type { LockfileKind } from '../lockfile-kind.js';

export const pdm: LockfileKind = {
  names: ['pdm.lock'],
  ecosystem: 'PyPI',
  tool: 'pdm',
  read: async (source) => (await import('./pdm-lock.js')).readPdmLock(source),
};
