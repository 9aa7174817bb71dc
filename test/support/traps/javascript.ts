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
    name: 'one test imports what a called package brings in',
    files: {
      ...npmProject({ grunt: { needs: ['lodash'] }, lodash: {} }, { main: 'index.js' }),
      'index.js': "require('grunt')();\n",
      'test/a.test.js': "import _ from 'lodash';\n_.merge({}, {});\n",
    },
    used: ['grunt', 'lodash'],
  },
  {
    name: 'a type is imported of what a called package brings in',
    files: {
      ...npmProject({ grunt: { needs: ['lodash'] }, lodash: {} }, { main: 'index.ts' }),
      'index.ts': "import grunt from 'grunt';\nimport type { X } from 'lodash';\ngrunt({} as X);\n",
    },
    used: ['grunt', 'lodash'],
  },
  {
    name: 'a called package that is declared for development brings others in',
    files: {
      ...npmProject({ 'ui-kit': { dev: true, needs: ['vue'] }, vue: { dev: true } }, { main: 'src/main.js' }),
      'src/main.js': "import kit from 'ui-kit';\nkit();\n",
    },
    used: ['ui-kit', 'vue'],
  },
  { name: 'a lock file and no source', files: npmProject({ lodash: {} }), used: ['lodash'] },
  {
    name: 'a program without extension that the start script names',
    files: {
      ...npmProject({ express: {} }, { scripts: { start: 'node ./bin/www' } }),
      'bin/www': "#!/usr/bin/env node\nrequire('express')().listen(3000);\n",
    },
    used: ['express'],
  },
  {
    name: 'a module within a page',
    files: {
      ...npmProject({ htmx: {}, vite: { dev: true } }),
      'index.html': '<script type="module">\nimport htmx from \'htmx\';\nhtmx.process(document.body);\n</script>\n',
      'vite.config.js': "import { defineConfig } from 'vite';\nexport default defineConfig({});\n",
    },
    used: ['htmx'],
  },
  {
    name: 'an import of a page in MDX',
    files: {
      ...npmProject({ next: {}, recharts: {} }),
      'pages/index.mdx': "import { Chart } from 'recharts';\n\n# Hello\n\n<Chart />\n",
      'pages/_app.jsx': 'export default function App({ Component }) {\n  return <Component />;\n}\n',
    },
    used: ['recharts'],
  },
  {
    name: 'CoffeeScript',
    files: {
      ...npmProject({ express: {}, coffeescript: {} }, { scripts: { start: 'coffee server.coffee' } }),
      'server.coffee': "express = require 'express'\nexpress().listen 3000\n",
    },
    used: ['express'],
  },
  {
    name: 'source of the project under a node_modules that is part of it',
    files: {
      ...npmProject({ mqtt: {} }, { main: 'red.js' }),
      'red.js': "require('@app/runtime').start();\n",
      'packages/node_modules/@app/runtime/index.js':
        "const mqtt = require('mqtt');\nexports.start = () => mqtt.connect();\n",
      'packages/node_modules/@app/runtime/package.json': '{"name":"@app/runtime","version":"1.0.0"}',
    },
    used: ['mqtt'],
  },
  {
    name: 'a folder of tools that a running process forks',
    files: {
      ...npmProject({ sharp: {} }, { main: 'index.js' }),
      'index.js': "require('node:child_process').fork(__dirname + '/tools/job.js');\n",
      'tools/job.js': "require('sharp')('a.png');\n",
    },
    used: ['sharp'],
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
    name: 'modules by a pattern',
    files: {
      ...npmProject({ marked: {}, vite: { dev: true } }),
      'index.html': '<script type="module" src="/src/main.ts"></script>\n',
      'src/main.ts': "const pages = import.meta.glob('./docs/*.ts');\nconsole.log(pages);\n",
      'src/docs/a.ts': "import { marked } from 'marked';\nexport default marked('# a');\n",
    },
    used: ['marked'],
  },
  {
    name: 'an action of GitHub whose main file lies in a folder of tools',
    files: {
      ...npmProject({ semver: {} }),
      'action.yml': "name: check\nruns:\n  using: 'node20'\n  main: 'tools/index.js'\n",
      'tools/index.js': "require('semver').valid('1.0.0');\n",
    },
    used: ['semver'],
  },
  {
    name: 'a route whose folder is called test',
    files: {
      ...npmProject({ next: {}, react: {}, uuid: {} }),
      'pages/api/test/run.ts': "import { v4 } from 'uuid';\nexport default (_req, res) => res.json({ id: v4() });\n",
    },
    used: ['uuid'],
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
  {
    name: 'types are imported, and a script tag loads the package',
    files: {
      ...npmProject({ tinymce: {} }, { main: 'src/main.ts' }),
      'src/main.ts':
        "import type { Editor } from 'tinymce';\nconst script = document.createElement('script');\nscript.src = `${vendorDir}/lib/tinymce/tinymce.min.js`;\nexport type E = Editor;\n",
    },
    used: ['tinymce'],
  },
  {
    name: 'peers in a lock file that names none (Yarn 1)',
    files: {
      'package.json': JSON.stringify({
        main: 'index.js',
        dependencies: { '@mui/material': '^5.0.0', '@emotion/react': '^11.0.0', '@emotion/styled': '^11.0.0' },
      }),
      'yarn.lock': ['@emotion/react@^11.0.0', '@emotion/styled@^11.0.0', '@mui/material@^5.0.0']
        .map((key) => `"${key}":\n  version "${key.split('^')[1]}"\n  resolved "https://registry.yarnpkg.com/x.tgz"\n`)
        .join('\n')
        .replace(/^/, '# yarn lockfile v1\n\n\n'),
      'index.js': "import { Button } from '@mui/material';\nexport default Button;\n",
    },
    used: ['@mui/material', '@emotion/react', '@emotion/styled'],
  },
  {
    name: 'a program of a script after the package manager',
    files: {
      ...npmProject(
        { 'patch-package': {}, express: {} },
        { main: 'index.js', scripts: { postinstall: 'yarn patch-package' } },
      ),
      'index.js': "require('express')();\n",
    },
    used: ['patch-package'],
  },
];
