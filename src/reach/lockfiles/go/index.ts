import type { LockfileKind } from '../lockfile-kind.js';

export const go: LockfileKind = {
  names: ['go.mod'],
  ecosystem: 'Go',
  tool: 'go',
  read: async (source) => (await import('./go-mod.js')).readGoMod(source),
};
