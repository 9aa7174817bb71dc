import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../folder.js';
import { read, readFolder } from './reading.js';

describe('a hostile tree', () => {
  test('is read inside alone, and to its end', async () => {
    const outside = folderWith({ 'x.js': "import 'a'" });
    const root = folderWith({
      'x.js': "import 'b'; import '../../../../etc/passwd'",
      'big.js': '',
      'binary.js': Buffer.from([0, 1, 2]),
    });
    truncateSync(join(root, 'big.js'), 2 ** 30);
    symlinkSync(root, join(root, 'loop'));
    symlinkSync(outside, join(root, 'out'));
    const found = await readFolder(root, ['a', 'b']);
    expect(found.uses.map(({ packageName }) => packageName)).toEqual(['b']);
    expect(found).toMatchObject({ files: 1, searched: 1, skipped: 1, unresolved: 1 });
  });

  test.each([
    ['parentheses', '('.repeat(60_000)],
    ['closed brackets', `${'['.repeat(60_000)}${']'.repeat(60_000)}`],
    ['templates', `${'`${'.repeat(60_000)}1${'}`'.repeat(60_000)}`],
    ['unary operators', `${'!'.repeat(60_000)}a`],
    ['conditions', `${'a?b:'.repeat(60_000)}c`],
    ['statements', `${'if(a){}else '.repeat(60_000)}{}`],
    ['statements on lines', `${'if(a)\n'.repeat(60_000)};`],
    ['functions', `${'()=>'.repeat(60_000)}1`],
    ['assignments', `${'a='.repeat(60_000)}1`],
    ['elements', `${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}`],
    ['type arguments', `type A=${'B<'.repeat(60_000)}C${'>'.repeat(60_000)}`],
    ['keywords', `${'new '.repeat(60_000)}a`],
    ['keywords on lines', `type A=${'keyof\n'.repeat(60_000)}B`],
    ['labels', `${'a:'.repeat(60_000)};`],
    ['members', `a${'.b()'.repeat(60_000)}`],
    ['additions', `a${'+a'.repeat(60_000)}`],
  ])('whose script nests %s deeply does not end the process', async (_, nested) => {
    const found = await read({ 'x.tsx': `import 'a';\n${nested}`, 'y.js': "import 'b'" }, ['a', 'b']);
    expect(found.sitesOf('b')).toHaveLength(1);
    expect(found.sitesOf('a').length).toBeGreaterThan(0);
    expect(found.skipped).toBe(0);
  });

  test('may have lists longer than a call takes arguments', async () => {
    const list = "'b',\n".repeat(200_000);
    const files = {
      'package.json': '{"dependencies":{"b":"1"}}',
      'x.js': `import 'a';\nexport const all = [\n${list}]`,
    };
    const found = await read(files, ['a', 'b']);
    expect(found.sitesOf('a')).toHaveLength(1);
    expect(found.sitesOf('b')).toHaveLength(50);
  });

  test('may have many files, of which production reaches some', async () => {
    const files: Record<string, string> = {};
    for (let folder = 0; folder < 20; folder++) {
      for (let file = 0; file < 100; file++) {
        files[`d${folder}/f${file}.ts`] =
          `import { b } from 'a';\nimport { c } from './f${(file + 1) % 100}.js';\nexport const c = b(c);\n`;
      }
    }
    const found = await read(files, ['a'], ['d0/f0.ts']);
    expect(found.sitesOf('a')).toHaveLength(2000);
    expect(found.sitesOf('a').filter(({ reached }) => reached)).toHaveLength(100);
  });

  test('may have bundles, which are read like any other file', async () => {
    const found = await read({ 'b.js': `import 'a';${'var x=1;'.repeat(10_000)}`, 'c.min.js': "import 'a'" }, ['a']);
    expect(found).toMatchObject({ files: 2, parseErrors: 0, searched: 0, skipped: 0 });
    expect(found.sitesOf('a')).toMatchObject([
      { file: 'b.js', kind: 'import' },
      { file: 'c.min.js', kind: 'import' },
    ]);
  });

  test('may name things as objects have them', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const files = {
      'package.json': `{"name":"__proto__","dependencies":{"__proto__":"1","constructor":"npm:toString@1"},"exports":{"__proto__":"./x"},"scripts":{"__proto__":"node x"}}`,
      'tsconfig.json': '{"compilerOptions":{"paths":{"__proto__":["./x"]}}}',
      'x.constructor': '',
      'x.toString/index.js': '',
      'a.js': names.map((name) => `import * as ns_${name} from '${name}'; ns_${name}.__proto__`).join('\n'),
    };
    const found = await read(files, names);
    expect(new Set(found.uses.map(({ packageName }) => packageName))).toEqual(
      new Set(['__proto__', 'toString', 'hasOwnProperty']),
    );
    expect(found.sitesOf('hasOwnProperty')[0]?.symbols).toEqual(['__proto__']);
  });

  test('may have patterns made to be slow', async () => {
    const files = {
      'package.json': JSON.stringify({
        workspaces: [`${'*a'.repeat(100)}b`, '**/**/**/**/x'],
        exports: { [`./${'*'.repeat(50)}`]: `./${'*'.repeat(50)}` },
      }),
      [`${'a/'.repeat(100)}package.json`]: '{"name":"w"}',
      'x.html': `<script ${'"'.repeat(5000)}`.repeat(20),
      'x.js': `import ${'{ a, '.repeat(2000)}`,
      'y.vue': '<script '.repeat(5000),
      'x.css': '@import '.repeat(5000),
    };
    await read(files, ['a']);
  });

  test('may name files to load in ways made to be slow', async () => {
    const glob = `import.meta.glob(['./**/*/**/*/*.js', './${'{a,b}'.repeat(30)}']);`;
    const sums = Array.from({ length: 60 }, (_, at) => `const v${at + 1} = v${at} + v${at};`);
    const files: Record<string, string> = {
      'package.json': JSON.stringify({
        main: 'x0.js',
        scripts: { start: 'npm run start && sh a.sh', 'start:a': 'run-p *'.repeat(50) },
      }),
      'a.sh': 'sh b.sh\nnpm start\n'.repeat(20),
      'b.sh': 'sh a.sh\nnpm start\n'.repeat(20),
      Dockerfile: `CMD ${'sh -c '.repeat(2000)}\nWORKDIR ${'/a'.repeat(2000)}`,
      'compose.yml': `command:\n${'  - '.repeat(20_000)}`,
      'serverless.yml': `handler: ${'"a/b" '.repeat(30_000)}`,
      'webpack.config.js': `const v0 = __dirname + 'a';${sums.join('')}module.exports = { entry: v60, input: () => v60 }`,
      'vite.config.js': `const a = b; const b = a; export default { input: ${'[a, '.repeat(500)}a${']'.repeat(500)} }`,
      'y.js': `${'require(x);'.repeat(3000)}${"readdir(__dirname + '/d');".repeat(3000)}`,
    };
    for (let at = 0; at < 500; at++) files[`x${at}.js`] = `require('./y');${glob.replaceAll('**', `**/${at}*`)}`;
    await read(files, ['a']);
  });
});
