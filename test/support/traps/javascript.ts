import { npmProject } from './projects.js';
import type { TrapTree } from './trap-tree.js';

/** Each is of a class of mistakes that were found in real applications. */
export const javascriptTraps: readonly TrapTree[] = [
  {
    name: 'an unused package beside a used one, in a tree that hides nothing',
    files: { ...npmProject({ express: {}, leftpad: {} }, { main: 'index.js' }), 'index.js': "require('express')();\n" },
    used: ['express'],
    exactly: { express: 'called', leftpad: 'not_used' },
  },
  {
    name: 'a folder of tools that is loaded by its listing',
    files: {
      ...npmProject({ exa: {} }, { main: 'index.js' }),
      'index.js':
        "const fs = require('node:fs');\nfor (const name of fs.readdirSync(__dirname + '/tools')) require('./tools/' + name);\n",
      'tools/search.js': "exports.run = require('exa');\n",
    },
    used: ['exa'],
  },
  {
    name: 'a name that is put together',
    files: {
      ...npmProject({ lodash: {}, express: {} }, { main: 'index.js' }),
      'index.js': "require('express')();\nconst _ = require('lo' + 'dash');\n_.merge({}, {});\n",
    },
    used: ['lodash', 'express'],
  },
  {
    name: 'names that a file of plugins lists',
    files: {
      ...npmProject({ 'plugin-a': {}, yaml: {} }, { main: 'index.js' }),
      'index.js':
        "const yaml = require('yaml');\nconst text = require('node:fs').readFileSync('plugins.yml', 'utf8');\nfor (const name of yaml.parse(text)) require(name)();\n",
      'plugins.yml': '- plugin-a\n',
    },
    used: ['plugin-a', 'yaml'],
  },
];
