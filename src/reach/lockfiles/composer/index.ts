import type { LockfileKind } from '../lockfile-kind.js';

export const composer: LockfileKind = {
  names: ['composer.lock'],
  ecosystem: 'Packagist',
  tool: 'composer',
  read: async (source) => (await import('./composer-lock.js')).readComposerLock(source),
};
