import type { LockfileKind } from '../lockfile-kind.js';

export const gradle: LockfileKind = {
  names: ['gradle.lockfile'],
  ecosystem: 'Maven',
  tool: 'gradle',
  read: async (source) => (await import('./gradle-lockfile.js')).readGradleLockfile(source),
};
