import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { headOf } from '../../../../../src/reach/languages/javascript/parse/module-head.js';
import { read, siteIn } from '../reading.js';

const long = `export const list = [\n${"  'x',\n".repeat(1000)}];\n`;

describe('the head of a module', () => {
  test.each([
    ["import a from 'a';\n", 'const x = 1;\n'],
    ["import {\n  a,\n} from 'a';\n\n", '/** Documented. */\nexport const x = a();\n'],
    ["export * from 'a' with {\n  type: 'json',\n};\n", 'export const x = 1;\n'],
    ["const x = 1;\nimport 'a'\n", 'function y() {}\n'],
    ['/// <reference types="a" />\n', 'declare const x: 1;\n'],
    ["import a from // why\n  'a';\n", 'let x;\n'],
  ])('%j ends before what follows', (head, rest) => {
    expect(headOf(head + rest)).toBe(head);
  });

  test('does not go on to an import in documentation', () => {
    const head = "import a from 'a';\n\n";
    const rest = "/**\n * @example\n * import { b } from 'b'\n * b()\n */\nexport const x = 1;\n";
    expect(headOf(head + rest)).toBe(head);
    expect(headOf(rest)).toBe('');
  });

  test('is the whole text if the last word is not clearly in documentation', () => {
    for (const last of ['\'from "b"\'', "/* import('b') */ 1", "`\n/*.js\n${import('b')}`"]) {
      const text = `import 'a';\nconst x = 1;\nfoo(${last});\n`;
      expect(headOf(text)).toBe(text);
    }
  });

  test('does not parse if it ends inside something else', () => {
    const text = `const x = \`import a from 'a'\nconst y = 1;\n\`;\n`;
    const head = headOf(text);
    expect(head).not.toBe(text);
    expect(parseSync('x.js', head).errors).not.toEqual([]);
  });

  test('is found in texts that are made to be slow', () => {
    expect(headOf(`/**\n${' * import a from "a"\n'.repeat(50_000)}`)).toBe('');
    for (const text of [`/* \n${'from "a"\n'.repeat(50_000)}`, '/*from"'.repeat(100_000)])
      expect(headOf(text)).toBe(text);
  });
});

describe('a long file', () => {
  test.each([
    ['a template', `const t = \`\nimport x from 'no'\nexport const u = 1;\n\`;\nimport { y } from 'a';\n${long}`],
    ['imports at its end', `${long}import { y } from 'a';\n`],
    ['an import in a function', `${long}export const f = () => import('a').then(({ y }) => y);\n${long}`],
    ['a namespace that is used far below', `import * as a from 'a';\n${long}a.y();\n`],
    [
      'a star in front of an import',
      `${long}export class C {\n  *f() { return import('a').then((m) => m.y); }\n}\n${long}`,
    ],
  ])('with %s is read as a short one is', async (_, source) => {
    expect(await siteIn(source, 'index.ts')).toMatchObject({ symbols: ['y'], symbolsComplete: true });
  });

  test('imports nothing of its documentation and its strings', async () => {
    const source = `import 'a';\n/**\n * import 'b'\n */\n${long}const s = "import 'b'";\n`;
    const found = await read({ 'index.ts': source }, ['a', 'b']);
    expect(found.uses.map(({ packageName, site }) => [packageName, site.kind])).toEqual([
      ['a', 'import'],
      ['b', 'mention'],
    ]);
  });

  test('has the same positions as the whole', async () => {
    expect(await siteIn(`// é 𝒳\nimport 'x';\n  import a from 'a';\n${long}`)).toMatchObject({ line: 3, column: 17 });
  });
});
