import { describe, expect, test } from 'vitest';
import { read } from '../reading.js';

// The syntax tree is read only where it decides the result: these tests cover such cases.

describe('an import of the project that brings in types alone', () => {
  const files = {
    'main.ts': "import { T } from './types'; import { run } from './run'; run(); export const t: T = 1;",
    'run.ts': "import 'a'; import { U } from './more'; export function run(u?: U) {}",
    'types.ts': "import 'erased'; export type T = number",
    'more.ts': "import 'erased-too'; export interface U {}",
  };

  test('does not reach its file', async () => {
    const found = await read(files, ['a', 'erased', 'erased-too'], ['main.ts']);
    expect(found.reached).toEqual(['a']);
  });

  test('does where the configuration keeps such imports', async () => {
    const kept = { ...files, 'tsconfig.json': '{"compilerOptions":{"verbatimModuleSyntax":true}}' };
    const found = await read(kept, ['a', 'erased', 'erased-too'], ['main.ts']);
    expect(found.reached).toEqual(['a', 'erased', 'erased-too']);
  });

  test('differs from one whose value is used without a call, along a chain', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [
        `f${i}.ts`,
        `import { v${i + 1} } from './f${i + 1}'; export const v${i} = [v${i + 1}];`,
      ]),
    );
    const found = await read({ ...chain, 'f50.ts': "import 'a'; export const v50 = 1" }, ['a'], ['f0.ts']);
    expect(found.reached).toEqual(['a']);
  });

  test('does not count as called where a comment calls its name', async () => {
    const source = "// T( is a type\n/** T(1) */\nimport { T } from 'a';\nexport let t: T; // T()";
    expect((await read({ 'x.ts': source }, ['a'])).sitesOf('a')).toMatchObject([{ typeOnly: true }]);
  });
});

describe('a package that a file outside of production imports as a whole', () => {
  test.each(['x.test.ts', 'scripts/x.ts', 'x.config.ts', 'test/x.vue'])(
    '%s reports which symbols it uses',
    async (path) => {
      const source = "import * as a from 'a'; import b from 'b'; a.one(); b.two(); send(b);";
      const text = path.endsWith('.vue') ? `<script>1</script>\n<script setup>${source}</script>` : source;
      const found = await read({ [path]: text }, ['a', 'b']);
      // The template of a component may use more.
      const symbolsComplete = !path.endsWith('.vue');
      expect(found.sitesOf('a')).toMatchObject([{ symbols: ['one'], symbolsComplete }]);
      expect(found.sitesOf('b')).toMatchObject([{ symbols: ['two'], symbolsComplete: false }]);
    },
  );

  test('reports them if production reaches the file', async () => {
    const files = { 'main.ts': "import './scripts/x'", 'scripts/x.ts': "import * as a from 'a'; a.one();" };
    const found = await read(files, ['a'], ['main.ts']);
    expect(found.sitesOf('a')).toMatchObject([{ role: 'prod', reached: true, symbols: ['one'] }]);
  });
});
