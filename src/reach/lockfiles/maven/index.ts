import type { LockfileKind } from '../lockfile-kind.js';

export const maven: LockfileKind = {
  names: ['pom.xml'],
  ecosystem: 'Maven',
  tool: 'maven',
  read: async (source) => (await import('./pom.js')).readPom(source),
};
