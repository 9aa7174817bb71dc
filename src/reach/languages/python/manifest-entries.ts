import * as z from 'zod';
import type { Entry } from '../language-reader.js';
import { tomlOrEmpty } from '../manifest-text.js';
import type { SourceTree } from '../source-tree.js';
import type { Modules } from './modules.js';

const targets = z.record(z.string(), z.unknown()).catch({});
const groups = z.record(z.string(), targets).catch({});
const project = z.object({ scripts: targets, 'gui-scripts': targets, 'entry-points': groups });
const pyproject = z.object({
  project: project.catch({ scripts: {}, 'gui-scripts': {}, 'entry-points': {} }),
  tool: z
    .object({ poetry: z.object({ scripts: targets, plugins: groups }) })
    .catch({ poetry: { scripts: {}, plugins: {} } }),
});

/** `name = package.module:function`, as setup.cfg and setup.py list entry points. */
const assigned = /[\w.-]+[ \t]*=[ \t]*([A-Za-z_]\w*(?:\.\w+)*)[ \t]*:[ \t]*[A-Za-z_]\w*/g;

/** Entry points of one manifest. */
const maxTargets = 1000;

/**
 * The modules that the project's commands start, and those that another program loads as its plugins: the entry points of
 * pyproject.toml, setup.cfg and setup.py (https://packaging.python.org/en/latest/specifications/entry-points/).
 */
export function manifestEntries(tree: SourceTree, modules: Modules): Entry[] {
  const entries: Entry[] = [];
  for (const { path } of tree.files) {
    const [, name] = /(?:^|\/)(pyproject\.toml|setup\.cfg|setup\.py)$/.exec(path) ?? [];
    if (name === undefined) continue;
    const text = tree.read(path);
    for (const { module, why } of name === 'pyproject.toml' ? ofPyproject(text) : ofSetup(text ?? '')) {
      const file = modules.absolute(path, module, []).at(-1);
      if (file !== undefined) entries.push({ file, why: `${why} of ${path}` });
    }
  }
  return entries;
}

interface Named {
  readonly module: string;
  readonly why: string;
}

function ofPyproject(text: string | null): Named[] {
  const { project, tool } = pyproject.parse(tomlOrEmpty(text));
  const commands = [project.scripts, project['gui-scripts'], tool.poetry.scripts];
  const plugins = [...Object.values(project['entry-points']), ...Object.values(tool.poetry.plugins)];
  const modulesIn = (tables: readonly Readonly<Record<string, unknown>>[], why: string) =>
    tables
      .flatMap((table) => Object.values(table))
      .slice(0, maxTargets)
      .flatMap((target) => (typeof target === 'string' ? { module: target.split(':', 1)[0]?.trim() ?? '', why } : []));
  return [...modulesIn(commands, 'a command'), ...modulesIn(plugins, 'an entry point')];
}

function ofSetup(text: string): Named[] {
  if (!/entry_points/.test(text)) return [];
  return [...text.matchAll(assigned)]
    .slice(0, maxTargets)
    .map(({ 1: module = '' }) => ({ module, why: 'an entry point' }));
}
