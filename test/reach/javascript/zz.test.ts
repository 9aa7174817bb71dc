import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { javascriptReader } from '../../../src/reach/javascript/reader.js';
test('x', async () => {
  for (const [app, lock] of [['nodegoat', 'package-lock.json'], ['juice-shop', 'package-lock.generated-2026-11-21.json']]) {
    const l = JSON.parse(readFileSync(`/work/shared/data/lockfiles/${app}/${lock}`, 'utf8'));
    const known = (l.packages ? Object.keys(l.packages).filter(Boolean).map((k) => k.replace(/^.*node_modules\//, '')) : Object.keys(l.dependencies)).map((name) => ({ ecosystem: 'npm' as const, name, version: '1' }));
    const tree = await walkTree(`/work/shared/data/apps/${app}`);
    const t = performance.now();
    const f = await javascriptReader.analyse(tree, known, { entries: [] });
    console.log(app, known.length, performance.now() - t, { ...f, uses: f.uses.length });
    const m = JSON.parse(readFileSync(`/work/shared/data/apps/${app}/package.json`, 'utf8'));
    for (const sec of ['dependencies', 'devDependencies']) console.log(sec, Object.keys(m[sec]).map((n) => {
      const us = f.uses.filter((u) => u.packageName === n);
      const kinds = [...new Set(us.map((u) => `${u.site.kind === 'mention' ? 'mention' : u.site.typeOnly ? 'type' : u.site.mock ? 'mock' : 'import'}:${u.site.role}${u.site.reached ? '+' : ''}`))].join(',');
      const first = us.find(u=>u.site.kind==='mention') ?? us[0];
      return `${n} [${kinds}] ${first?.site.file ?? ''}:${first?.site.line ?? ''}`;
    }).join('\n'));
    console.log('notreached', tree.files.filter((x) => javascriptReader.reads(x.path) && !f.uses.some((u) => u.site.file === x.path && u.site.reached)).map((x) => x.path).join(' '));
  }
});
