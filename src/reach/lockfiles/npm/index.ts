import type { LockfileKind } from '../lockfile-kind.js';
import { withOverrides } from '../own-overrides.js';

export const npm: LockfileKind = {
  names: ['npm-shrinkwrap.json', 'package-lock.json'],
  ecosystem: 'npm',
  tool: 'npm',
  read: async (source) =>
    withOverrides(await (await import('./package-lock.js')).readPackageLock(source), source, 'npm'),
};
