import { describe, expect, test } from 'vitest';
import { read } from '../reading.js';

const manifest = { 'package.json': JSON.stringify({ dependencies: { hbs: '1', '@s/hbs': '1' } }) };
const mentionsOf = async (files: Record<string, string>, name = 'hbs') =>
  (
    await read({ ...manifest, ...files }, ['hbs', '@s/hbs', 'typescript', '@types/node', '@s/cli', 'cross-env'])
  ).sitesOf(name);

describe('a package that no import names is mentioned', () => {
  test.each<[string, Record<string, string>, string, number, number]>([
    ['a string', { 'x.js': "app.set('view engine', 'hbs')" }, 'hbs', 1, 25],
    ['a string with a subpath', { 'x.js': 'load("@s/hbs/lib/x")' }, '@s/hbs', 1, 7],
    ['a template', { 'x.js': 'load(`\n  node_modules/hbs/x`)' }, 'hbs', 2, 3],
    ['a string of a component', { 'x.vue': '<script>\nuse("hbs")\n</script>' }, 'hbs', 2, 6],
    [
      'a wrapper around import',
      { 'x.ts': "const load: F = new Function('s', 'return import(s)'); load('hbs')" },
      'hbs',
      1,
      62,
    ],
    ['configuration in JSON', { '.babelrc': '{\n  // hbs\n  "plugins": ["hbs"] }' }, 'hbs', 3, 16],
    ['configuration in YAML', { '.eslintrc.yml': '# hbs\nplugins:\n  - hbs' }, 'hbs', 3, 5],
    ['a style sheet', { 'x.scss': '/* @import "hbs" */\n.a { background: url(~hbs/x.png); }' }, 'hbs', 2, 22],
    ['a page', { 'x.html': '<p>hbs</p><link href="/node_modules/hbs/x.css">' }, 'hbs', 1, 24],
    ['a patch', { 'patches/@s+hbs+1.2.3.patch': 'diff' }, '@s/hbs', 1, 1],
    ['a patch of pnpm', { 'patches/hbs@1.2.3.patch': 'diff' }, 'hbs', 1, 1],
    ['a start command', { Dockerfile: 'FROM x\nCMD ["hbs", "x"]' }, 'hbs', 2, 5],
  ])('in %s', async (_, files, name, line, column) => {
    expect(await mentionsOf(files, name)).toMatchObject([{ kind: 'mention', line, column, symbolsComplete: false }]);
  });

  test.each<[string, Record<string, string>, string, number, number]>([
    ['a style sheet', { 'x.scss': '/* @import "hbs" */\n@import "~hbs/x.css";' }, 'hbs', 2, 10],
    ['a plugin of a style sheet', { 'x.css': "@plugin '@s/hbs';" }, '@s/hbs', 1, 10],
  ])('but what %s loads is imported', async (_, files, name, line, column) => {
    expect(await mentionsOf(files, name)).toMatchObject([{ kind: 'import', role: 'prod', line, column }]);
  });

  test('in the scripts and settings of package.json', async () => {
    const content = {
      scripts: { build: 'cross-env A=1 tsc', start: 'hbs run', x: 'cli --x' },
      prettier: '@s/hbs',
      devDependencies: { typescript: '1', hbs: '1', '@s/hbs': '1', 'cross-env': '1', '@s/cli': '1' },
    };
    const found = await read(
      { 'package.json': JSON.stringify(content, null, 1) },
      Object.keys(content.devDependencies),
    );
    const roles = found.uses.map(({ packageName, site }) => `${packageName} ${site.role} ${site.line}`);
    expect(roles.sort()).toEqual(['@s/hbs script 7', 'cross-env script 3', 'hbs prod 4', 'typescript script 3']);
  });

  test.each<[string, Record<string, string>, string]>([
    ['hbs', { '.eslintrc.json': '{"extends": ["hbs"]}' }, 'script'],
    ['hbs', { 'jest.config.js': "export default { preset: 'hbs' }" }, 'script'],
    ['hbs', { '.lintstagedrc': '{"*.x": "hbs --check"}' }, 'script'],
    ['hbs', { 'package.json': '{"devDependencies":{"hbs":"1"},"lint-staged":{"*":"hbs"}}' }, 'script'],
    ['hbs', { 'package.json': '{"devDependencies":{"hbs":"1"},"app":{"engine":"hbs"}}' }, 'config'],
    ['hbs', { 'webpack.config.js': "module.exports = { entry: ['hbs', './app'] }" }, 'config'],
    ['hbs', { 'babel.config.js': "module.exports = { plugins: ['hbs'] }" }, 'config'],
    ['x-webpack-plugin', { 'webpack.config.js': "load('x-webpack-plugin')" }, 'script'],
    ['@babel/preset-x', { '.babelrc': '{"presets": ["@babel/preset-x"]}' }, 'script'],
    ['@babel/preset-x', { 'compile.js': "use('@babel/preset-x')" }, 'prod'],
    ['@babel/runtime', { '.babelrc': '{"plugins": ["@babel/runtime"]}' }, 'config'],
    ['html-loader-x', { 'webpack.config.js': "load('html-loader-x')" }, 'config'],
  ])('%s in settings, as %#', async (name, files, role) => {
    const names = ['hbs', 'x-webpack-plugin', '@babel/preset-x', '@babel/runtime', 'html-loader-x'];
    const dependencies = Object.fromEntries(names.map((each) => [each, '1']));
    const found = await read({ 'package.json': JSON.stringify({ devDependencies: dependencies }), ...files }, names);
    expect(found.sitesOf(name).map((site) => site.role)).toEqual([role]);
  });

  test('in the types of a tsconfig.json', async () => {
    const files = {
      'package.json': '{"devDependencies":{"@types/node":"1"}}',
      'tsconfig.json': '{"compilerOptions":{"types":["node"]}}',
    };
    expect(await mentionsOf(files, '@types/node')).toHaveLength(1);
  });

  test('by the name that the manifest gives it', async () => {
    const files = { 'package.json': '{"dependencies":{"engine":"npm:hbs@1"}}', 'x.js': "set('engine')" };
    expect(await mentionsOf(files)).toHaveLength(1);
  });

  test('with the role of its file, and reached as it is', async () => {
    const found = await read(
      { ...manifest, 'index.js': "require('./b')", 'b.js': "'use hbs'", 'webpack.config.js': "x('hbs')" },
      ['hbs'],
    );
    expect(found.sitesOf('hbs')).toMatchObject([
      { file: 'b.js', role: 'prod', reached: true },
      { file: 'webpack.config.js', role: 'config', reached: false },
    ]);
  });
});

describe("a package that is named in its tool's way is mentioned", () => {
  const mentionOf = async (name: string, files: Record<string, string>) => {
    const declared = { 'package.json': JSON.stringify({ dependencies: { [name]: '1' } }) };
    return (await read({ ...declared, ...files }, [name])).sitesOf(name);
  };

  test.each<[string, Record<string, string>]>([
    ['@docusaurus/preset-classic', { 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }" }],
    ['docusaurus-plugin-sass', { 'docusaurus.config.ts': "export default { plugins: ['sass'] }" }],
    ['eslint-plugin-react', { '.eslintrc.json': '{"extends": ["plugin:react/recommended"]}' }],
    ['eslint-config-airbnb', { '.eslintrc.yml': 'extends:\n  - airbnb' }],
    ['@s/eslint-plugin', { '.eslintrc.js': "module.exports = { plugins: ['@s'] }" }],
    ['@babel/preset-env', { '.babelrc': '{"presets": ["@babel/env"]}' }],
    ['babel-plugin-lodash', { 'babel.config.js': "module.exports = { plugins: ['lodash'] }" }],
    ['jest-environment-jsdom', { 'jest.config.js': "module.exports = { testEnvironment: 'jsdom' }" }],
    ['karma-jasmine', { 'karma.conf.js': "module.exports = (c) => c.set({ frameworks: ['jasmine'] })" }],
    ['remark-gfm', { '.remarkrc': '{"plugins": ["gfm"]}' }],
    ['@iconify-json/mdi', { 'x.vue': '<template><div class="i-mdi-home" /></template>' }],
    ['@iconify-json/mdi', { 'x.vue': "<script>import A from '~icons/mdi/home'</script>" }],
    ['@iconify-json/mdi', { 'x.tsx': 'export default () => <Icon icon="mdi:home" />' }],
    ['@iconify/json', { 'x.html': '<i class="i-carbon-sun"></i>' }],
    ['pg', { 'x.js': "knex({ client: 'postgres' })" }],
    [
      'patch-package',
      { 'package.json': '{"dependencies":{"patch-package":"1"},"scripts":{"postinstall":"yarn patch-package"}}' },
    ],
    [
      'npm-run-all',
      { 'package.json': '{"devDependencies":{"npm-run-all":"1"},"scripts":{"start":"pnpm exec npm-run-all a b"}}' },
    ],
    ['prisma', { 'docker-entrypoint.sh': '#!/bin/sh\nset -e\nnpx prisma migrate deploy' }],
    ['lint-staged', { '.husky/pre-commit': 'npx lint-staged' }],
    ['pm2', { Dockerfile: 'FROM node\nRUN npm i && \\\n  npx pm2 install x' }],
    ['tinymce', { 'x.tsx': 'import type { Editor } from "tinymce"; load(`${vendorDir}/lib/tinymce/tinymce.min.js`)' }],
    ['jquery', { 'x.html': '<script src="/vendor/jquery-3.7.1.min.js"></script>' }],
    ['vue', { 'x.ejs': '<script src="https://cdn.test/npm/vue@3/dist/vue.global.js"></script>' }],
    ['lit', { 'x.html': '<script type="importmap">{"imports":{"lit":"https://cdn.test/lit@3/index.js"}}</script>' }],
    ['@s/ui', { 'x.pug': 'link(rel="stylesheet" href="/assets/@s/ui/dist/ui.css")' }],
    ['chart.js', { 'x.js': "express.static('node_modules/chart.js/dist')" }],
    ['chart.js', { 'x.js': "app.use(express.static(path.join(__dirname, 'node_modules', 'chart.js')))" }],
    ['bootstrap', { 'webpack.config.js': "new Copy({ patterns: [{ from: 'node_modules/bootstrap/dist' }] })" }],
    ['bootstrap', { 'x.vue': '<style>.a { background: url(~bootstrap/x.png); }</style>' }],
    ['hbs', { 'x.coffee': "app.set 'view engine', 'hbs'" }],
    ['hbs', { 'x.cljs': '(ns a (:require ["hbs" :as hbs]))' }],
  ])('%s in %j', async (name, files) => {
    const [site] = (await mentionOf(name, files)).filter(({ kind }) => kind !== 'import');
    expect(site).toMatchObject({ kind: 'mention' });
  });

  test.each<[string, Record<string, string>]>([
    ['moment', { 'x.js': "require('./helpers/moment.js')", 'helpers/moment.js': '' }],
    ['react', { 'x.js': "load('/assets/reactive.js')" }],
    ['eslint-plugin-react', { 'x.js': "use('react')" }],
    ['@iconify-json/mdi', { 'x.vue': '<div class="mdi-home" />' }],
    ['build', { 'package.json': '{"dependencies":{"build":"1"},"scripts":{"x":"npm test -- --flag"}}' }],
  ])('but not %s in %j', async (name, files) => {
    expect(await mentionOf(name, files)).toEqual([]);
  });

  test('what an installation runs may be used, what a hook runs is not', async () => {
    const scripts = { postinstall: 'patch-package', prepare: 'husky' };
    const files = {
      'package.json': JSON.stringify({ dependencies: { 'patch-package': '1', husky: '1' }, scripts }),
    };
    const found = await read(files, ['patch-package', 'husky']);
    expect(found.sitesOf('patch-package')).toMatchObject([{ role: 'config' }]);
    expect(found.sitesOf('husky')).toMatchObject([{ role: 'script' }]);
  });
});

describe('a package is not mentioned', () => {
  test.each<[string, Record<string, string>]>([
    ['in a comment', { 'x.js': "// 'hbs'\n/* \"hbs\" */ x('y')" }],
    [
      'in lists of dependencies',
      { 'package.json': JSON.stringify({ dependencies: { hbs: '1' }, overrides: { hbs: '1' } }) },
    ],
    [
      'in the description in a manifest',
      { 'package.json': JSON.stringify({ dependencies: { hbs: '1' }, keywords: ['hbs'], description: 'hbs' }) },
    ],
    ['in a part of a word', { 'x.js': "'hbs-x'; 'xhbs'; '@t/hbs'; 'hbsx'; './hbs'" }],
    ['in a name', { 'x.js': "const hbs = {}; hbs.x = 'y'" }],
    ['in a type', { 'x.ts': "type A = 'hbs'; let x: 'hbs'" }],
    ['in tests', { 'x.test.js': "x('hbs')" }],
    ['in the text of a page', { 'x.html': '<p>install hbs, require("hbs")</p>' }],
    ['in a lock file', { 'package-lock.json': '{"packages":{"node_modules/hbs":{}}}' }],
  ])('%s', async (_, files) => {
    expect(await mentionsOf(files)).toEqual([]);
  });

  test('where production imports it anyway', async () => {
    const found = await mentionsOf({ 'x.js': "import 'hbs'; set('hbs')" });
    expect(found).toMatchObject([{ kind: 'import' }]);
  });

  test('by the import that a test or a type has of it', async () => {
    const found = await mentionsOf({ 'x.ts': "import type { A } from 'hbs'", 'scripts/x.js': "require('hbs')" });
    expect(found.map(({ kind }) => kind).sort()).toEqual(['import', 'require']);
  });
});
