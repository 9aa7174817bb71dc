import { describe, expect, test } from 'vitest';
import { siteIn } from '../reading.js';

const all = true;
const some = false;

describe('the symbols of a site', () => {
  test.each([
    ["import { b, c as d } from 'a'; b(d)", ['b', 'c'], all],
    ["import * as ns from 'a'; ns.b(); ns['c']", ['b', 'c'], all],
    ["import _ from 'a'; _.merge({})", ['merge'], all],
    ["import a from 'a'; a()", ['default'], all],
    ["import { default as a } from 'a'; a.b()", ['b'], all],
    ["import * as ns from 'a'; ns.default.b()", ['b'], all],
    ["import 'a'; $.b()", [], some],
    ["require('a')", [], some],
    ["import _ from 'a'; const x = _(list).b(y).c()", ['b', 'c', 'default'], some],
    ["import a from 'a'; const app = a(); app.b()", ['default'], some],
    ["import _ from 'a'; _.chain(x).b()", ['chain'], some],
    ["import _ from 'a'; _.chunk(list)", ['chunk'], all],
    ["import A from 'a'; <A />", ['default'], all],
    ["const o = { a: require('a') }; o.a.b()", [], some],
    ["async () => { const { default: { b } } = await import('a') }", ['b'], all],
    ["async () => { const { default: m = {} } = await import('a'); m.b() }", ['b'], all],
    ["async () => { const m = await import('a').catch(() => null); m.b() }", [], some],
    ["require.resolve('a')", [], some],
    ["import a from 'a'; window.a = a; a.b()", ['b'], some],
    ["import ns from 'a'; f(ns)", [], some],
    ["import * as ns from 'a'; ns[key]()", [], some],
    ["import * as ns from 'a'; export { ns }", [], some],
    ["import * as ns from 'a'; const { b, ...rest } = ns", ['b'], some],
    ["import * as ns from 'a'; const { b } = ns", ['b'], all],
    ["import * as ns from 'a'; const copy = ns; copy.b()", ['b'], all],
    ["export { b as c } from 'a'", ['b'], all],
    ["export * from 'a'", [], some],
    ["export * as ns from 'a'", [], some],
    ["const a = require('a'); a.b()", ['b'], all],
    ["const { b, c: d } = require('a')", ['b', 'c'], all],
    ["const b = require('a').b", ['b'], all],
    ["require('a')(app)", ['default'], all],
    ["new (require('a').B)()", ['B'], all],
    ["let a; function f() { a ??= require('a'); a.b() }", ['b'], all],
    ["module.exports = require('a')", [], some],
    ["var a_1 = __importDefault(require('a')); (0, a_1.b)(); a_1.default.c()", ['b', 'c'], all],
    ["import('a').then(({ b }) => b)", ['b'], all],
    ["import('a').then((m) => m.b())", ['b'], all],
    ["async () => { const m = await import('a'); m.b() }", ['b'], all],
    ["async () => { const { default: m } = await import('a'); m.b() }", ['b'], all],
    ["async () => (await import('a')).b", ['b'], all],
    ["async () => f(await import('a'))", [], some],
    ["let f = require('./b'); if (c) f = require('a'); f.g()", [], some],
    ["import a from 'a'; function f(a) { return a.b() } a.c()", ['c'], all],
    ["import a from 'a'; { const a = {}; a.b() } a.c()", ['c'], all],
    ["import a from 'a'; // a.b() and a['c']\n'a.d()'; a.e()", ['e'], all],
  ])('%s', async (source, symbols, complete) => {
    expect(await siteIn(source)).toMatchObject({ symbols, symbolsComplete: complete });
  });

  test('of JSX', async () => {
    expect(await siteIn("import a from 'a'; export default () => <a.B />", 'index.jsx')).toMatchObject({
      symbols: ['B'],
    });
  });

  test('of TypeScript, through its casts', async () => {
    const source = "import a = require('a'); (a as any).b(); a!.c(); (<X>a).d";
    expect(await siteIn(source, 'index.ts')).toMatchObject({
      kind: 'require',
      symbols: ['b', 'c', 'd'],
      symbolsComplete: true,
    });
  });
});

describe('a component, whose template sees the names of its script,', () => {
  test.each([
    ['x.vue', "<script setup>import _ from 'a'; _.b()</script><p>{{ _.c() }}</p>", false],
    ['x.svelte', "<script>import * as _ from 'a'</script>{_.c()}", false],
    ['x.astro', "---\nimport _ from 'a';\n---\n{_.c()}", false],
    ['x.vue', "<script setup>import { b } from 'a'</script>", true],
  ])('%s %s', async (file, source, complete) => {
    expect(await siteIn(source, file)).toMatchObject({ symbolsComplete: complete });
  });
});

describe('types alone', () => {
  test.each([
    ["import type { B } from 'a'", true],
    ["import { type B } from 'a'", true],
    ["export type { B } from 'a'", true],
    ["import { B } from 'a'; const b: B = f()", true],
    ["import * as a from 'a'; let b: a.B", true],
    ["import { B } from 'a'; class C implements B {}", true],
    ["import { B } from 'a'; let b: typeof B", true],
    ["let b: import('a').B", true],
    ["let b: typeof import('a')", true],
    ["/// <reference types='a' />", true],
    ["import { B } from 'a'; class C extends B {}", false],
    ["import { B, c } from 'a'; c as B", false],
    ["import { B } from 'a'; f(B)", false],
    ["import { B } from 'a'; @D() class C { constructor(b: B) {} }", false],
    ["import { B } from 'a'; class C { constructor(@B() b) {} }", false],
    ["import 'a'", false],
    ["import('a')", false],
  ])('%s: %s', async (source, typeOnly) => {
    expect(await siteIn(source, 'index.ts')).toMatchObject({ typeOnly });
  });

  test('are what a declaration file imports', async () => {
    expect(await siteIn("import { B } from 'a'; export function f(): B", 'index.d.ts')).toMatchObject({
      typeOnly: true,
    });
  });

  test('count as imports if the compiler options keep them', async () => {
    const { read } = await import('../reading.js');
    const files = {
      'tsconfig.json': '{ "compilerOptions": { "verbatimModuleSyntax": true } }',
      'index.ts': "import { B } from 'a'; let b: B",
    };
    expect((await read(files, ['a'])).sitesOf('a')[0]).toMatchObject({ typeOnly: false });
  });

  test('are never what JavaScript imports', async () => {
    expect(await siteIn("import { B } from 'a'")).toMatchObject({ typeOnly: false, symbols: ['B'] });
  });
});
