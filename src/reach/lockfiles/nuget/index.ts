import type { LockfileKind } from '../lockfile-kind.js';

export const nuget: LockfileKind = {
  names: ['packages.lock.json'],
  ecosystem: 'NuGet',
  tool: 'nuget',
  read: async (source) => (await import('./nuget-lock.js')).readNugetLock(source),
};
