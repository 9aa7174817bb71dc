import { setsOf } from '../../knowledge/knowledge.js';
import { fileNameOf } from '../tree-path.js';

/** How a file is read: its dialect, and what of the file is script. */
export interface SourceKind {
  readonly lang: 'jsx' | 'ts' | 'tsx' | 'dts';
  readonly typescript: boolean;
  /**
   * - `none`: the whole file is a script
   * - `html`, `astro`: the scripts of a component
   * - `page`: the scripts of a page or of a template that makes one, between marks of its own that no parser knows
   * - `markdown`: imports between the text
   */
  readonly blocks: 'none' | 'html' | 'astro' | 'page' | 'markdown';
  /**
   * - `parsed`
   * - `searched`: in a language that compiles to JavaScript, for which there is no parser: patterns and a search read it
   * - `recognised`: parsed where the text shows that it is a script, because its name does not
   */
  readonly reading: 'parsed' | 'searched' | 'recognised';
}

const javascript: SourceKind = { lang: 'jsx', typescript: false, blocks: 'none', reading: 'parsed' };
const typescript: SourceKind = { ...javascript, lang: 'ts', typescript: true };
const component: SourceKind = { ...javascript, lang: 'tsx', typescript: true, blocks: 'html' };
const otherLanguage: SourceKind = { ...javascript, reading: 'searched' };
const pageKind: SourceKind = { ...javascript, blocks: 'page' };

/** Markdown whose imports a site generator runs. */
export const markdown: SourceKind = { ...javascript, lang: 'tsx', blocks: 'markdown' };

const executable: SourceKind = { ...javascript, reading: 'recognised' };

const byExtension: Readonly<Record<string, SourceKind>> = {
  '.js': javascript,
  '.mjs': javascript,
  '.cjs': javascript,
  '.jsx': javascript,
  '.es6': javascript,
  '.ts': typescript,
  '.mts': typescript,
  '.cts': typescript,
  '.tsx': { ...typescript, lang: 'tsx' },
  '.vue': component,
  '.svelte': component,
  '.astro': { ...component, blocks: 'astro' },
  '.mdx': markdown,
  '.svx': markdown,
};

const listed = setsOf('javascript/extensions');
/** CoffeeScript, LiveScript, Civet, Imba, Marko, Riot, ReScript, ClojureScript and Ember's templates. */
const otherExtensions = listed('otherExtensions');

const pageExtensions = listed('pageExtensions');

/** PHP that is mostly a page. */
const pageInPhp = /\.(?:blade|tpl|html)\.php$|(?:^|\/)(?:views?|templates?|themes?|layouts?|pages?|public)\/.*\.php$/i;

/** A template that makes a source file: no code itself. */
const templateOfSource = /\.(?:[mc]?[jt]sx?|vue|svelte|json|ya?ml|css|scss|md|py|rb|go|sh|conf)\.[a-z\d]+$/;

const declaration: SourceKind = { lang: 'dts', typescript: true, blocks: 'none', reading: 'parsed' };

/** The kind of a source file; null for other files. A file of kind `recognised` may be something else. */
export function sourceKindOf(path: string): SourceKind | null {
  if (/\.d\.(?:[\w-]+\.)?[mc]?ts$/.test(path)) return declaration;
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) {
    // Files whose names begin with a capital letter are texts (`LICENSE`) or of other tools (`Dockerfile`).
    return dot === -1 || !fileNameOf(path).includes('.') ? executableKind(path) : null;
  }
  const extension = path.slice(dot);
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension] ?? null;
  if (otherExtensions.has(extension)) return otherLanguage;
  const isPage = pageExtensions.has(extension) || (extension === '.php' && pageInPhp.test(path));
  return isPage && !templateOfSource.test(path) ? pageKind : null;
}

function executableKind(path: string): SourceKind | null {
  return /^[a-z\d_]/.test(fileNameOf(path)) ? executable : null;
}

/** A first line that runs the file by a JavaScript runtime. */
const shebang = /^#!.*\b(?:node|nodejs|tsx|ts-node|deno|bun|zx|coffee)\b/;

/** Whether the text of a file without extension is a script: by its first line, or because it names modules. */
export function mayBeScript(text: string): boolean {
  if (text.startsWith('#!')) return shebang.test(text.slice(0, 200));
  return /\brequire\s*\(\s*["'`]|^\s*import\b[^\n]*["']/m.test(text);
}
