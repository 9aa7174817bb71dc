import type { LockfileKind } from '../lockfile-kind.js';

export const cargo: LockfileKind = {
  names: ['Cargo.lock'],
  ecosystem: 'crates.io',
  tool: 'cargo',
  read: async (source) => (await import('./cargo-lock.js')).readCargoLock(source),
};
