import type { LockfileKind } from '../lockfile-kind.js';

export const pip: LockfileKind = {
  names: ['requirements.txt'],
  ecosystem: 'PyPI',
  tool: 'pip',
  read: async (source) => (await import('./requirements.js')).readRequirements(source),
};
