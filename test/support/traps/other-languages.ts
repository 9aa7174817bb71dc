import { version } from './projects.js';
import type { TrapTree } from './trap-tree.js';

/** Each is of a class of mistakes that were found in real applications. */
export const otherTraps: readonly TrapTree[] = [
  {
    name: 'an extra of a used distribution',
    files: {
      'pyproject.toml': `[project]\nname = "app"\nversion = "${version}"\ndependencies = ["redis[hiredis]"]\n`,
      'uv.lock': `version = 1

[[package]]
name = "app"
version = "1.0.0"
source = { virtual = "." }
dependencies = [{ name = "redis", extra = ["hiredis"] }]

[[package]]
name = "hiredis"
version = "1.0.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "redis"
version = "1.0.0"
source = { registry = "https://pypi.org/simple" }

[package.optional-dependencies]
hiredis = [{ name = "hiredis" }]
`,
      'app.py': 'import redis\nredis.Redis().ping()\n',
    },
    used: ['redis', 'hiredis'],
  },
];
