import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { folderWith } from '../folder.js';

const analyzeFolder = async (folder: string, workspace?: string) => {
  const options = { folder, entries: [], workspace, version: '1.0.0', progress: () => {} };
  const { report } = await analyzeTree(options);
  expect(usageReport.safeParse(report).success).toBe(true);
  return report;
};

async function usages(folder: string, workspace?: string): Promise<Record<string, string>> {
  const { dependencies } = await analyzeFolder(folder, workspace);
  return Object.fromEntries(dependencies.map(({ purl, usage }) => [purl, usage]));
}

const classes = ['unused', 'tooling', 'not_loaded', 'transitive', 'loaded', 'imported', 'reached'];

/** The least class of each package. Where no source was read there is none: the first source says more, not less. */
async function ranks(folder: string): Promise<Map<string, number>> {
  const { dependencies } = await analyzeFolder(folder);
  const same: Record<string, string> = { mentioned: 'transitive', type_only: 'tooling' };
  return new Map(
    dependencies.map(({ purl, usage, gaps = [] }) => {
      const own = classes.indexOf(same[usage] ?? usage);
      return [purl, gaps.length > 0 && usage !== 'not_analyzed' ? Math.max(own, classes.indexOf('transitive')) : own];
    }),
  );
}

const lock = (packages: Record<string, object>) => JSON.stringify({ lockfileVersion: 3, packages });

describe('a monorepo', () => {
  const files = {
    'package.json': '{"name": "root", "private": true, "workspaces": ["packages/*"]}',
    'package-lock.json': lock({
      '': { workspaces: ['packages/*'] },
      'packages/api': { name: '@acme/api', dependencies: { express: '4', '@acme/core': '*' } },
      'packages/core': { name: '@acme/core', dependencies: { zod: '3' } },
      'packages/web': { name: '@acme/web', dependencies: { react: '18', zod: '4' } },
      'node_modules/@acme/api': { link: true, resolved: 'packages/api' },
      'node_modules/@acme/core': { link: true, resolved: 'packages/core' },
      'node_modules/@acme/web': { link: true, resolved: 'packages/web' },
      'node_modules/express': { version: '4.0.0' },
      'node_modules/react': { version: '18.0.0' },
      'node_modules/zod': { version: '3.0.0' },
      'packages/web/node_modules/zod': { version: '4.0.0' },
    }),
    'packages/api/package.json':
      '{"name": "@acme/api", "main": "src/index.ts", "dependencies": {"express": "4", "@acme/core": "*"}}',
    'packages/api/src/index.ts': "import express from 'express';\nimport '@acme/core';\nexpress();\n",
    'packages/core/package.json': '{"name": "@acme/core", "main": "index.ts", "dependencies": {"zod": "3"}}',
    'packages/core/index.ts': "import * as z from 'zod';\nz.string();\n",
    'packages/web/package.json':
      '{"name": "@acme/web", "main": "index.tsx", "dependencies": {"react": "18", "zod": "4"}}',
    'packages/web/index.tsx':
      "import { z } from 'zod';\nimport React from 'react';\nz.string();\nReact.createElement('a');\n",
  };

  test('is analyzed whole, each import at the version of its workspace', async () => {
    expect(await usages(folderWith(files))).toEqual({
      'pkg:npm/express@4.0.0': 'reached',
      'pkg:npm/react@18.0.0': 'reached',
      'pkg:npm/zod@3.0.0': 'reached',
      'pkg:npm/zod@4.0.0': 'reached',
    });
  });

  test('or one workspace with those it depends on', async () => {
    expect(await usages(folderWith(files), '@acme/api')).toEqual({
      'pkg:npm/express@4.0.0': 'reached',
      'pkg:npm/react@18.0.0': 'unused',
      'pkg:npm/zod@3.0.0': 'reached',
      'pkg:npm/zod@4.0.0': 'unused',
    });
    expect(await usages(folderWith(files), 'packages/web')).toMatchObject({
      'pkg:npm/express@4.0.0': 'unused',
      'pkg:npm/zod@3.0.0': 'unused',
      'pkg:npm/zod@4.0.0': 'reached',
    });
  });
});

test('several languages in one tree make one report', async () => {
  const folder = folderWith({
    'web/package.json': '{"main": "a.js"}',
    'web/package-lock.json': lock({ 'node_modules/express': { version: '4.0.0' } }),
    'web/a.js': "require('express');\n",
    'api/requirements.txt': 'requests==2.32.3\nPyYAML==6.0.2\ncertifi==2024.8.30\n',
    'api/main.py': 'import requests\nimport yaml\n\nrequests.get("https://example.org")\nyaml.safe_load("")\n',
    'cli/go.mod': 'module example.org/cli\n\ngo 1.22\n\nrequire github.com/spf13/cobra v1.8.0\n',
    'cli/main.go': 'package main\n\nimport "github.com/spf13/cobra"\n\nfunc main() { _ = cobra.Command{} }\n',
  });
  const report = await analyzeFolder(folder);
  expect(report.lockfiles.map(({ path }) => path)).toEqual([
    'api/requirements.txt',
    'cli/go.mod',
    'web/package-lock.json',
  ]);
  const of = Object.fromEntries(report.dependencies.map((each) => [each.purl, each]));
  expect(of['pkg:npm/express@4.0.0']?.usage).toBe('reached');
  for (const purl of [
    'pkg:pypi/requests@2.32.3',
    'pkg:pypi/pyyaml@6.0.2',
    'pkg:golang/github.com/spf13/cobra@v1.8.0',
  ]) {
    expect(['reached', 'imported'], purl).toContain(of[purl]?.usage);
    expect(of[purl]?.sites[0]?.file, purl).toMatch(/^(?:api\/main\.py|cli\/main\.go)$/);
  }
  expect(of['pkg:pypi/certifi@2024.8.30']?.usage).toBe('mentioned');
});

test('more files never lower a class', async () => {
  const missesX = "import './x.js';\n";
  const names = ['a', 'b', 'c'];
  const name = fc.constantFrom(...names);
  const content = fc.oneof(
    name.map((each) => `require('${each}');\n`),
    name.map((each) => `import * as x from '${each}/sub';\nexport default x;\n`),
    name.map((each) => `import type { T } from '${each}';\nexport type U = T;\n`),
    name.map((each) => `const engine = '${each}';\n`),
    name.map((each) => `// ${each}\nexport {};\n`),
    fc.constant(missesX),
    name.map((each) => `import = = from; load(\`${each}\`);\n`),
    name.map((each) => `!function(){${'var x=1;'.repeat(4000)}return require("${each}")}();`),
    name.map((each) => Buffer.from(`\0\x01load("${each}")`)),
    name.map((each) => `${'('.repeat(9000)}'${each}'`),
    fc.constant('{{{'),
  );
  const path = fc.constantFrom(
    'x.js',
    'src/y.ts',
    'test/z.test.ts',
    'vite.config.ts',
    'scripts/s.mjs',
    'index.js',
    'web/w.jsx',
    'public/vendor.min.js',
  );
  const tree = fc.dictionary(path, content, { maxKeys: 4 });
  const base = {
    'package.json': '{"main": "index.js", "dependencies": {"a": "1", "b": "1"}}',
    'package-lock.json': lock(Object.fromEntries(names.map((each) => [`node_modules/${each}`, { version: '1.0.0' }]))),
  };
  await fc.assert(
    fc.asyncProperty(tree, tree, async (some, others) => {
      const folder = folderWith({ ...base, ...some });
      const before = await ranks(folder);
      for (const [file, text] of Object.entries(others)) {
        // A file that an import misses is a question; only that file may answer it.
        if (file in some || (file === 'x.js' && Object.values(some).includes(missesX))) continue;
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const after = await ranks(folder);
      for (const [purl, rank] of before) expect(after.get(purl), purl).toBeGreaterThanOrEqual(rank);
    }),
    { numRuns: 60 },
  );
});
