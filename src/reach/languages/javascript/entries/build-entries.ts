import { listsOf } from '../../../knowledge/knowledge.js';
import { alternatives } from '../../patterns.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';
import { entriesOf, field, textOf } from '../json-values.js';
import { nestsTooDeeply } from '../parse/nesting.js';
import { parse } from '../parse/parser.js';
import { commandsOf, filesRunBy } from '../project/commands.js';
import { isTestName, roleOf } from '../roles.js';
import { sourceKindOf } from '../source-kinds.js';
import { isNode, isOfType, keyOf, nameOf, nodesOf, type SyntaxNode } from '../syntax-tree/nodes.js';
import type { EntryCollector } from './entry-collector.js';
import { type NamedPath, PathExpressions } from './path-expressions.js';
import { isCode } from './tree-files.js';

const listed = listsOf('javascript/builds');

/** Names of files that configure or run a build, a start or a platform. */
const buildFile = new RegExp(`^(?:${listed('buildFiles').join('|')})(?:[._-][\\w.-]+)?\\.[mc]?[jt]s$`, 'i');
const buildFolder =
  /(?:^|\/)(?:webpack|rspack|rollup|vite|esbuild|build|config|configs|scripts|tools|\.electron-vue)\/[^/]+\.[mc]?[jt]s$/i;

/** Words without which a text has none of the fields below. */
const buildWords = alternatives(
  'entry entries entryPoints input inputs preload exposes swSrc script addEntry laravel mix source pages clientModules',
  'appEntry handler',
);
const buildWord = new RegExp(`\\b(?:${buildWords})\\b`);

/** Fields of such files whose values name files where a program starts. */
const startFields = new Set(listed('startFields'));
/** Functions whose arguments do: `Encore.addEntry('app', './a.js')`, `mix.js('a.js', 'public')`, `laravel(['a.js'])`. */
const startCalls = new Set(listed('startCalls'));

/** Limits of files that are read as configurations, and of the size of one. */
const maxFiles = 500;
const maxBytes = 256 * 1024;

const propertyTypes = new Set(['Property', 'CallExpression', 'AssignmentExpression']);

/**
 * Adds the files that the configurations of bundlers and process managers name: `entry` of webpack, `rollupOptions.input` of
 * Vite, `entryPoints` of esbuild, `script` of PM2, wherever in the file the field stands. Nothing of it is run.
 */
export function addFromBuilds(entries: EntryCollector): void {
  const { tree } = entries;
  const run = filesOfScripts(entries);
  let read = 0;
  for (const { path, bytes } of tree.files) {
    const kind = sourceKindOf(path);
    if (kind === null || kind.blocks !== 'none' || bytes > maxBytes || isTestName(path)) continue;
    if (!buildFile.test(fileNameOf(path)) && !buildFolder.test(path) && !run.has(path)) continue;
    if (++read > maxFiles) return;
    const text = tree.read(path);
    if (text === null || !buildWord.test(text) || nestsTooDeeply(text)) continue;
    const program: unknown = parse(text, kind)?.program;
    if (!isNode(program)) continue;
    const { paths, nodes } = PathExpressions.read(program, propertyTypes);
    const roots = rootsIn(nodes, path, paths, entries.packageFolder(path));
    const folders = new Set([...entries.foldersAround(path), ...roots]);
    for (const node of nodes) {
      for (const value of startValues(node))
        for (const named of paths.within(value, 'any'))
          entries.add(filesNamed(named, path, [...folders], entries), `a start in ${path}`);
    }
  }
}

/** The files that scripts of package.json run, and the configurations that they name. */
function filesOfScripts({ manifests, files }: EntryCollector): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { folder, content } of manifests.values()) {
    for (const [, script] of entriesOf(field(content, 'scripts'))) {
      for (const command of commandsOf(textOf(script) ?? '')) {
        const given = command.words.filter((word) => /\.[mc]?[jt]s$/.test(word));
        for (const target of [...filesRunBy(command), ...given])
          for (const file of files.sources(folder, target.replace(/^.*=/, ''))) found.add(file);
      }
    }
  }
  return found;
}

function startValues(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'Property') {
    const value = node['value'];
    return isNode(value) && startFields.has(keyOf(node, 'key') ?? '') ? [value] : [];
  }
  if (node.type === 'AssignmentExpression') return assigned(node);
  const { callee } = node;
  const name = isOfType(callee, 'MemberExpression') ? keyOf(callee, 'property') : nameOf(callee);
  return name !== null && startCalls.has(name)
    ? nodesOf(node['arguments']).filter(({ type }) => type !== 'ObjectExpression' || name === 'laravel')
    : [];
}

/** The value of `config.entry = './x.js'` and of `config.entry.main = './x.js'`. */
function assigned({ left, right }: SyntaxNode): readonly SyntaxNode[] {
  if (!isNode(right)) return [];
  for (let target = left; isOfType(target, 'MemberExpression'); target = target['object'])
    if (startFields.has(keyOf(target, 'property') ?? '')) return [right];
  return [];
}

/** The folders that the configuration gives as its root: `root` of Vite, `context` of webpack. */
function rootsIn(nodes: readonly SyntaxNode[], path: string, paths: PathExpressions, packageFolder: string): string[] {
  return nodes.flatMap((node) => {
    const value = node['value'];
    if (
      node.type !== 'Property' ||
      !/^(?:root|context|srcDir|base[Dd]ir|cwd)$/.test(keyOf(node, 'key') ?? '') ||
      !isNode(value)
    )
      return [];
    return paths.within(value, 'any').flatMap(({ pattern, ofFile }) => {
      const folders = ofFile ? [folderOf(path)] : [folderOf(path), packageFolder];
      return folders.flatMap((folder) => joinPath(folder, pattern) ?? []);
    });
  });
}

/** The code that a path or pattern of a configuration means. */
function filesNamed(
  { pattern, ofFile }: NamedPath,
  path: string,
  folders: readonly string[],
  { files }: EntryCollector,
): readonly string[] {
  const bases = ofFile ? [folderOf(path)] : folders;
  // `src/index.handler` names the export `handler` of src/index.
  const targets = [pattern, pattern.replace(/\.(?!html?$)\w+$/, '')];
  const found = pattern.includes('*')
    ? bases.flatMap((base) => files.matching(base, pattern))
    : bases.flatMap((base) => targets.flatMap((target) => files.sources(base, target)));
  return found.filter((file) => isCode(file) && !/^(?:test|config)$/.test(roleOf(file)));
}
