import { npmProject } from './projects.js';
import type { TrapTree } from './trap-tree.js';

const server = { 'server.js': "require('express')().listen(3000);\n" };

/** Packages that can be judged for sure, each beside one that looks like it and stays unknown. */
export const judgedTraps: readonly TrapTree[] = [
  {
    name: 'a style sheet loads a package, and a file beside it that is called like one',
    files: {
      ...npmProject({ 'animate.css': {}, colors: {} }, { main: 'src/main.js' }),
      'src/main.js': "import './main.scss';\n",
      'src/main.scss': '@import "animate.css";\n@use "colors";\n',
      'src/_colors.scss': '$red: #f00;\n',
    },
    used: ['animate.css', 'colors'],
    exactly: { 'animate.css': 'called', colors: 'transitive_only' },
  },
  {
    name: 'a style sheet that loads a package for development says nothing of code',
    files: {
      ...npmProject({ express: {}, tailwindcss: { dev: true }, leftpad: { dev: true } }, { main: 'src/main.js' }),
      'src/main.js': "import './main.css';\nconst name = process.argv[2];\nimport(name);\nimport('express');\n",
      'src/main.css': '@import "tailwindcss";\n',
    },
    used: ['tailwindcss', 'express'],
    exactly: { tailwindcss: 'called', leftpad: 'dev_only' },
  },
  {
    name: 'a script for work on the project starts a program',
    files: {
      ...npmProject(
        { express: {}, vite: { dev: true }, tsx: { dev: true }, 'ts-node': { dev: true } },
        { scripts: { dev: 'vite', 'dev:server': 'tsx server.js', start: 'ts-node server.js' } },
      ),
      ...server,
    },
    used: ['express', 'ts-node'],
    exactly: { vite: 'dev_only', tsx: 'dev_only', 'ts-node': 'transitive_only' },
  },
  {
    name: 'a container starts a script that is named after work on the project',
    files: {
      ...npmProject({ express: {}, tsx: { dev: true } }, { scripts: { dev: 'tsx server.js' } }),
      ...server,
      Dockerfile: 'FROM node:22\nCMD ["npm", "run", "dev"]\n',
    },
    used: ['express', 'tsx'],
    exactly: { tsx: 'transitive_only' },
  },
  {
    name: 'the start script starts a script that is named after work on the project',
    files: {
      ...npmProject(
        { express: {}, tsx: { dev: true }, vite: { dev: true } },
        { scripts: { start: 'npm-run-all dev:*', 'dev:server': 'tsx server.js', 'dev:client': 'vite' } },
      ),
      ...server,
    },
    used: ['express', 'tsx', 'vite'],
    exactly: { tsx: 'transitive_only', vite: 'transitive_only' },
  },
  {
    name: 'the start script runs a program that is there for production',
    files: {
      ...npmProject(
        { express: {}, pm2: {}, vite: {}, nodemon: {} },
        { scripts: { start: 'pm2 start server.js', preview: 'vite preview', dev: 'nodemon server.js' } },
      ),
      ...server,
    },
    used: ['express', 'pm2', 'vite', 'nodemon'],
    exactly: { pm2: 'imported', vite: 'transitive_only', nodemon: 'transitive_only' },
  },
  {
    name: 'settings of the compiler',
    files: {
      ...npmProject({ express: {}, 'strict-settings': {}, preact: {}, 'ambient-types': {} }, { main: 'server.js' }),
      ...server,
      'tsconfig.json': JSON.stringify({
        extends: 'strict-settings/tsconfig.json',
        compilerOptions: { types: ['ambient-types'], jsx: 'react-jsx', jsxImportSource: 'preact' },
      }),
    },
    used: ['express', 'preact'],
    exactly: { 'strict-settings': 'dev_only', 'ambient-types': 'dev_only', preact: 'transitive_only' },
  },
  {
    name: 'a library for a host that loads nothing, and a plugin for one that looks for plugins',
    files: {
      ...npmProject({ react: {}, orm: {}, 'react-slider': { peers: ['react'] }, 'orm-driver': { peers: ['orm'] } }),
      'package.json': JSON.stringify({
        name: 'app',
        main: 'src/main.js',
        dependencies: { react: '^1.0.0', orm: '^1.0.0', 'react-slider': '^1.0.0', 'orm-driver': '^1.0.0' },
      }),
      'src/main.js': "import React from 'react';\nimport orm from 'orm';\norm(React.version);\n",
    },
    used: ['react', 'orm', 'orm-driver'],
    exactly: { 'react-slider': 'not_used', 'orm-driver': 'transitive_only' },
  },
  {
    name: 'modules and other names in the configuration of Nuxt',
    files: {
      ...npmProject({ nuxt: {}, 'nuxt-icon': {}, 'vue-toast': {} }),
      'nuxt.config.ts':
        "export default defineNuxtConfig({ modules: ['nuxt-icon'], build: { transpile: ['vue-toast'] } });\n",
      'app.vue': '<template><p>Hello</p></template>\n',
    },
    used: ['nuxt-icon', 'vue-toast'],
    exactly: { 'nuxt-icon': 'imported', 'vue-toast': 'transitive_only' },
  },
  {
    name: 'the client that Prisma writes is not there',
    files: {
      ...npmProject({ '@prisma/client': {}, leftpad: {} }, { main: 'server.js' }),
      'server.js': "const { PrismaClient } = require('./generated/prisma/client');\nnew PrismaClient();\n",
    },
    used: ['@prisma/client'],
    exactly: { '@prisma/client': 'transitive_only', leftpad: 'not_used' },
  },
  {
    name: 'a module is not there that no known generator writes',
    files: {
      ...npmProject({ '@prisma/client': {}, leftpad: {} }, { main: 'server.js' }),
      'server.js': "require('./generated/registry').start();\n",
    },
    used: ['@prisma/client', 'leftpad'],
  },
  {
    name: 'a computed import in a project of Yarn 1, whose packages have unknown peers',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        main: 'server.js',
        dependencies: { 'some-server': '^1.0.0', react: '^1.0.0' },
        devDependencies: { webpack: '^1.0.0' },
      }),
      'yarn.lock': `# yarn lockfile v1\n\n${['react', 'some-server', 'webpack']
        .map((name) => `${name}@^1.0.0:\n  version "1.0.0"\n`)
        .join('\n')}`,
      'server.js': "require('some-server')();\nrequire(process.argv[2]);\n",
      'webpack.config.js': "const webpack = require('webpack');\nmodule.exports = { plugins: [new webpack.X()] };\n",
    },
    used: ['some-server', 'react'],
    exactly: { webpack: 'dev_only' },
  },
];
