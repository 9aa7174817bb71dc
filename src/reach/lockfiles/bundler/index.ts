import type { LockfileKind } from '../lockfile-kind.js';

export const bundler: LockfileKind = {
  names: ['Gemfile.lock', 'gems.locked'],
  ecosystem: 'RubyGems',
  tool: 'bundler',
  read: async (source) => (await import('./gemfile-lock.js')).readGemfileLock(source),
};
