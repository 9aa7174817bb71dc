import { expect, test } from 'vitest';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { holdsOnlyTypes, isDevelopmentTool } from '../../../src/reach/analysis/development-tools.js';
import { parsePurl } from '../../../src/shared/packages/purl.js';
import { folderWith } from '../folder.js';

test.each([
  ['npm', 'eslint'],
  ['npm', 'eslint-plugin-vue'],
  ['npm', '@scope/eslint-config'],
  ['npm', '@typescript-eslint/parser'],
  ['npm', '@babel/preset-env'],
  ['npm', 'ts-jest'],
  ['npm', 'css-loader'],
  ['npm', 'html-webpack-plugin'],
  ['Packagist', 'phpstan/phpstan-doctrine'],
  ['Packagist', 'driftingly/rector'],
  ['Packagist', 'thecodingmachine/phpstan-safe-rule'],
  ['PyPI', 'pytest-django'],
  ['PyPI', 'moto'],
  ['PyPI', 'requests-mock'],
  ['RubyGems', 'rspec-rails'],
] as const)('%s %s is a tool where it is declared for development', (ecosystem, name) => {
  expect(isDevelopmentTool({ ecosystem, name, scope: 'development' })).toBe(true);
  expect(isDevelopmentTool({ ecosystem, name, scope: 'runtime' })).toBe(false);
});

test('declarations of types hold no code, stubs with a plugin may', () => {
  expect(holdsOnlyTypes({ ecosystem: 'npm', name: '@types/node' })).toBe(true);
  expect(holdsOnlyTypes({ ecosystem: 'PyPI', name: 'types-requests' })).toBe(true);
  expect(holdsOnlyTypes({ ecosystem: 'PyPI', name: 'django-stubs' })).toBe(false);
  expect(holdsOnlyTypes({ ecosystem: 'npm', name: 'types-x' })).toBe(false);
});

test.each([
  '@babel/runtime',
  '@babel/standalone',
  'webpack-sources',
  'vue',
  'sass',
  'puppeteer',
  'chair',
  'img-loader-x',
])('%s may run in production', (name) => {
  expect(isDevelopmentTool({ ecosystem: 'npm', name, scope: 'development' })).toBe(false);
});

/** An application that bundles what it declares for development, and imports a file that a generator makes. */
async function bundled(devDependencies: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const all = Object.fromEntries(['vue', ...devDependencies].map((name) => [name, '1.0.0']));
  const packages = Object.fromEntries(
    Object.keys(all).map((name) => [`node_modules/${name}`, { version: '1.0.0', dev: true }]),
  );
  const { report } = await analyzeTree({
    folder: folderWith({
      'package.json': JSON.stringify({ main: 'main.js', devDependencies: all }),
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { '': { devDependencies: all }, ...packages },
      }),
      'main.js': "import 'vue'; import './generated/client.js';",
      ...files,
    }),
    entries: [],
    version: '1.0.0',
    progress: () => {},
  });
  return new Map(report.dependencies.map((each) => [parsePurl(each.purl)?.name, each]));
}

test('what code that is not there may use is open, but for tools and types', async () => {
  const found = await bundled(['eslint', '@types/node', 'chart']);
  expect(found.get('chart')).toMatchObject({ usage: 'tooling', confidence: 'low', gaps: [expect.any(String)] });
  expect(found.get('eslint')).toMatchObject({ usage: 'tooling', gaps: [] });
  expect(found.get('@types/node')).toMatchObject({ usage: 'tooling', gaps: [] });
});

test('a tool that the configuration of a bundler names is tooling, another package may be used', async () => {
  const config = { 'webpack.config.js': "module.exports = { rules: [{ use: ['css-loader', 'chart'] }] };" };
  const found = await bundled(['css-loader', 'chart'], config);
  expect(found.get('css-loader')?.usage).toBe('tooling');
  expect(found.get('chart')?.usage).toBe('mentioned');
});

test('a tool that production imports is used', async () => {
  const found = await bundled(['eslint'], { 'main.js': "import 'vue'; import 'eslint';" });
  expect(found.get('eslint')?.usage).toBe('reached');
});
