import type { RouterOutputs } from '../../api/client.js';

type Ecosystem = RouterOutputs['intelligence']['checkPackage']['package']['ecosystem'];

/** The ecosystems that a package can be of, each by the name that it has everywhere. */
export const ecosystemNames = {
  npm: 'npm',
  PyPI: 'PyPI',
  Go: 'Go',
  'crates.io': 'crates.io',
  Maven: 'Maven',
  RubyGems: 'RubyGems',
  NuGet: 'NuGet',
  Packagist: 'Packagist',
} as const satisfies Readonly<Record<Ecosystem, string>>;
