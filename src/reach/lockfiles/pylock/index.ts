import type { LockfileKind } from '../lockfile-kind.js';

/** The file of PEP 751, which pip, uv, PDM and others write. */
export const pylock: LockfileKind = {
  names: ['pylock.toml'],
  patterns: [{ glob: 'pylock.*.toml', matches: /\/pylock\.[^./]+\.toml$/ }],
  ecosystem: 'PyPI',
  tool: 'pylock',
  read: async (source) => (await import('./pylock-toml.js')).readPylock(source),
};
