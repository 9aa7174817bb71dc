import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from './reading.js';

const packages = ['a', 'b', '@s/c'];
const paths = fc.constantFrom(
  'index.js',
  'server.ts',
  'a.js',
  'b/index.ts',
  'src/app.tsx',
  'src/a.js',
  'lib/b.js',
  'test/x.test.js',
  'scripts/y.js',
  'x.config.js',
  'App.vue',
  'public/x.min.js',
  'types.d.ts',
  'node_modules/a/index.js',
);
const sources = fc.array(
  fc.constantFrom(
    "import a from 'a'; a.x()",
    "import { b } from 'b/sub'; b()",
    "import type { C } from '@s/c'",
    "const c = require('@s/c')",
    "import './a'",
    "import '../src/app'",
    "set('engine', 'b')",
    "vi.mock('a')",
    "export * from './b'",
    '// nothing',
    'broken = = (',
    "broken = = load('a'",
    `${'('.repeat(9000)}"b"`,
    `!function(){${'var x=1;'.repeat(4000)}load("@s/c")}()`,
    '\0binary"a"',
  ),
  { maxLength: 3 },
);
const file = fc.oneof(
  fc
    .tuple(paths, sources)
    .map(([path, lines]): [string, string] => [
      path,
      path.endsWith('.vue') ? `<script>\n${lines.join('\n')}\n</script>` : lines.join(';\n'),
    ]),
  fc.constantFrom<[string, string]>(
    [
      'package.json',
      '{"main":"index.js","dependencies":{"a":"1","b":"1","@s/c":"1"},"scripts":{"start":"node server"}}',
    ],
    ['tsconfig.json', '{"compilerOptions":{"baseUrl":"src","paths":{"b/*":["lib/*"]}}}'],
    ['.gitignore', 'node_modules\n*.log'],
    ['index.html', '<script src="/src/a.js"></script>'],
    ['src/package.json', '{"name":"inner","type":"module"}'],
  ),
);
const files = fc.array(file, { maxLength: 8 });

test('adding files never turns a used package into an unused one', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (first, more) => {
      // Manifests say which names are looked for in strings: they are the same in both trees.
      const manifest: [string, string] = ['package.json', '{"dependencies":{"a":"1","b":"1","@s/c":"1"}}'];
      const before = await read(Object.fromEntries([...first, manifest]), packages);
      const after = await read(Object.fromEntries([...more, ...first, manifest]), packages);
      const used = (found: typeof before) => packages.filter((name) => found.sitesOf(name).length > 0);
      expect(used(after)).toEqual(expect.arrayContaining(used(before)));
    }),
    { numRuns: 150 },
  );
});
