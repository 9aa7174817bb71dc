import type { LockfileKind } from '../lockfile-kind.js';

export const pip: LockfileKind = {
  names: ['requirements.txt'],
  patterns: [
    { glob: 'requirements-*.txt', matches: /\/requirements[-_.][^/]+\.txt$/ },
    { glob: '*-requirements.txt', matches: /[-_.]requirements\.txt$/ },
    { glob: 'requirements/*.txt', matches: /\/requirements\/[^/]+\.txt$/, byFolder: true },
  ],
  ecosystem: 'PyPI',
  tool: 'pip',
  read: async (source) => (await import('./requirements.js')).readRequirements(source),
};
