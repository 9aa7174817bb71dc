/** An application that calls one package, tests with another, and uses a third not at all. */
export const smallApp = {
  'package.json': JSON.stringify({ main: 'index.js', dependencies: { lodash: '^4', helmet: '^2', mocha: '^9' } }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { lodash: '^4', helmet: '^2', mocha: '^9' } },
      'node_modules/lodash': { version: '4.17.11' },
      'node_modules/helmet': { version: '2.3.0' },
      'node_modules/mocha': { version: '9.0.0', dependencies: { ms: '^2' } },
      'node_modules/ms': { version: '2.0.0' },
    },
  }),
  'index.js': "// helmet is not used\nconst { merge } = require('lodash');\nmerge({}, {});\n",
  'test/a.test.js': "const { it } = require('mocha');\nit('works', () => {});\n",
};
