import type { LockfileKind } from '../lockfile-kind.js';

export const npm: LockfileKind = {
  names: ['npm-shrinkwrap.json', 'package-lock.json'],
  ecosystem: 'npm',
  tool: 'npm',
  read: async (source) => (await import('./package-lock.js')).readPackageLock(source),
};
