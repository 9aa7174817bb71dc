import type { Entry } from '../language-reader.js';
import { folderOf } from '../tree-path.js';
import type { ResolvedSource } from './package-uses.js';
import { type Manifest, nearest } from './project/manifests.js';
import { roleOf } from './roles.js';
import { sourceKindOf } from './source-kinds.js';

/** Whether the nearest manifest depends on a generator of sites that runs the imports of Markdown. */
export function isSite(manifests: ReadonlyMap<string, Manifest>, folder: string): boolean {
  const declared = nearest(manifests, folder)?.declared;
  return declared !== undefined && siteGenerators.some((name) => declared.has(name));
}

const siteGenerators = [
  'vitepress',
  'vuepress',
  '@docusaurus/core',
  '@docusaurus/preset-classic',
  'nextra',
  '@mdx-js/loader',
];

/**
 * A page starts where a browser opens it, an executable where somebody calls it: they and what they import are production,
 * unless they belong to tests.
 */
export function pageEntries(
  sources: readonly ResolvedSource[],
  runsMarkdown: (folder: string) => boolean,
): readonly Entry[] {
  return sources.flatMap(({ path, kind, references }) => {
    const isPage = kind.blocks === 'page' || (kind.blocks === 'markdown' && runsMarkdown(folderOf(path)));
    if (isPage && references.length > 0 && roleOf(path) !== 'test') return { file: path, why: 'a page with a script' };
    return kind.reading === 'recognised' && roleOf(path) === 'prod' ? { file: path, why: 'an executable' } : [];
  });
}

export function withPages(entries: readonly Entry[], pages: readonly Entry[]): readonly Entry[] {
  const named = new Set(entries.map(({ file }) => file));
  return [...entries, ...pages.filter(({ file }) => !named.has(file))];
}

/** Not a page without scripts, nor a file without extension that is no script. */
export function isSourceOrUnread(file: string, sources: ReadonlyMap<string, unknown>): boolean {
  const kind = sourceKindOf(file);
  return sources.has(file) || (kind?.reading === 'parsed' && kind.blocks === 'none');
}
