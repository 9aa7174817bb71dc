import { listsOf } from '../../../knowledge/knowledge.js';
import { remember } from '../../../remember.js';
import type { SourceTree } from '../../source-tree.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';

/** A name that a build configuration gives to a folder or a file of the tree. */
export interface Alias {
  readonly name: string;
  /** From the root of the tree. */
  readonly target: string;
}

const listed = listsOf('javascript/builds');
const configFile = new RegExp(
  `^(?:(?:${listed('aliasFiles').join('|')})[\\w.-]*\\.[mc]?[jt]s|${listed('otherAliasFiles').join('|')})$`,
);

/** Limits of a configuration, of the text after the word `alias`, of the value of one alias, and of aliases in a tree. */
const maxBytes = 128 * 1024;
const maxSectionLength = 6000;
const maxValueLength = 240;
const maxAliases = 500;

const pair = /(?:(["'])([^"'\n]{1,100})\1|(?<![\w$.])([A-Za-z_$][\w$]{0,100}))\s*:\s*/g;
const findPair = /\bfind\s*:\s*(?:(["'])([^"'\n]{1,100})\1|\/\^?([^/\n]{1,100})\/[a-z]*)\s*,\s*replacement\s*:\s*/g;

/**
 * The aliases that build configurations define in code, by the folder of the configuration: `alias: { '@': path.resolve(
 * __dirname, 'src') }`, Vite's `{ find, replacement }`, the `alias` of babel-plugin-module-resolver. Only the text is read.
 */
export function readBundlerAliases(tree: SourceTree): ReadonlyMap<string, readonly Alias[]> {
  const found = new Map<string, Alias[]>();
  let left = maxAliases;
  for (const { path, bytes } of tree.files) {
    if (bytes > maxBytes || left <= 0 || !configFile.test(fileNameOf(path))) continue;
    const text = tree.read(path) ?? '';
    const aliases = text.includes('alias') ? aliasesIn(text, folderOf(path)).slice(0, left) : [];
    left -= aliases.length;
    if (aliases.length > 0) remember(found, folderOf(path), (): Alias[] => []).push(...aliases);
  }
  return found;
}

function aliasesIn(text: string, folder: string): Alias[] {
  const start = text.indexOf('alias');
  const section = text.slice(start, start + maxSectionLength);
  return [...section.matchAll(pair), ...section.matchAll(findPair)].flatMap((match) => {
    const name = (match[2] ?? match[3] ?? '').replace(/^\^|[$*]+$|\\(?=\/)/g, '').replace(/\/$/, '');
    const value = section.slice(match.index + match[0].length, match.index + match[0].length + maxValueLength);
    const target = pathIn(value);
    const path = target === null || /^(?:find|replacement|alias)?$/.test(name) ? null : joinPath(folder, target);
    return path === null ? [] : [{ name, target: path }];
  });
}

/** The path that the strings at the beginning of a value make: of `path.resolve(__dirname, '..', 'src')`, `../src`. */
function pathIn(value: string): string | null {
  const isCall = /^\s*[\w$.]+\s*\(/.test(value) || /^\s*new\b/.test(value);
  const end = isCall ? value.indexOf(')') : value.search(/[,}\n]/);
  const expression = end === -1 ? value : value.slice(0, end);
  const strings = Array.from(expression.matchAll(/["'`]([^"'`\n]*)["'`]/g), ([, text = '']) => text);
  if (strings.length === 0) return null;
  return strings.join('/').replace(/<rootDir>|\$\{[^}]*\}|^file:\/\//g, '.');
}

/** The part of a specifier after an alias, with the folder or file that the alias means; null where it is another name. */
export function aliasTarget({ name, target }: Alias, specifier: string): string | null {
  if (specifier === name) return target;
  return specifier.startsWith(`${name}/`) ? `${target}/${specifier.slice(name.length + 1)}` : null;
}
