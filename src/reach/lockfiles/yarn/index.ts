import type { LockfileKind } from '../lockfile-kind.js';

export const yarn: LockfileKind = {
  names: ['yarn.lock'],
  ecosystem: 'npm',
  tool: 'yarn',
  // Yarn 2 and later write YAML with `__metadata`, Yarn 1 a format of its own.
  read: async (source) =>
    /^__metadata:/m.test(source.text)
      ? (await import('./yarn-berry.js')).readYarnBerry(source)
      : (await import('./yarn-classic.js')).readYarnClassic(source),
};
