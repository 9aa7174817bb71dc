import { folderOf, joinPath } from '../../tree-path.js';
import type { Script } from '../parse/script.js';
import { commandsOf, filesRunBy } from '../project/commands.js';
import { isTestName, roleOf } from '../roles.js';
import {
  forEachChild,
  isNode,
  isOfType,
  keyOf,
  literalOf,
  nameOf,
  nodesOf,
  type SyntaxNode,
} from '../syntax-tree/nodes.js';
import { type NamedPath, PathExpressions } from './path-expressions.js';
import type { TreeFiles } from './tree-files.js';

/** A path or pattern by which a program loads code of its own tree while it runs. */
export interface LoadedByName extends NamedPath {
  /** Of a folder: its files only, or all below it. A file is loaded in either case. */
  readonly depth: 'children' | 'any';
  /** Whether a folder by this path counts, and not only a file: the program lists folders and loads what it finds. */
  readonly folders: boolean;
  /** Where the path stands in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** The same without its place. */
type Load = Omit<LoadedByName, 'offset'>;

/** A text without any of these words, and that lists no files to import them, loads nothing by name. */
const loadingWord =
  /__dirname|__filename|import\.meta\.(?:url|dirname|filename|dir\b|glob)|require\.context|\bfork\s*\(|child_process|new\s+(?:Shared)?Worker\b|addModule|importScripts|fromAsset|NodejsFunction|[rR]equire(?:Directory|Dir|All)|[iI]ncludeAll|consign|[aA]uto[lL]oad|loadFiles|importx|Piscina|Tinypool|serviceWorker|setupPrimary|setupMaster|\b(?:entities|migrations|subscribers)\s*:\s*\[/;
const listingWord = /\b(?:readdir|opendir|scandir|glob|fast-glob|tinyglobby|fdir|klaw|walk)/;
const computedImport = /\b(?:require|import)\s*\(\s*(?:[^\s'"`)]|`[^`]*\$\{)/;

function mayLoadByName(text: string): boolean {
  return loadingWord.test(text) || (computedImport.test(text) && listingWord.test(text));
}

/** Functions that load or start the code that their arguments name. */
const starters = new Set(
  `fork Worker SharedWorker addModule importScripts spawn spawnSync execFile execFileSync exec execSync register fromAsset
Piscina Tinypool pool process setupPrimary setupMaster NodejsFunction NodejsBuild`.split(/\s+/),
);
/** Functions that load all code of the folders or patterns in their arguments. */
const folderLoaders = new Set(
  `context glob globEager requireDirectory requireDir requireAll includeAll consign include autoload AutoLoad autoLoad
loadFilesSync loadFiles loadSchemaSync importx importGlobal fromAsset bulkRequire importDirectory importDir loadCommands`.split(
    /\s+/,
  ),
);
/** Functions that list files; they load code only where the file also imports by computed names. */
const listers = new Set(
  `readdir readdirSync opendir opendirSync glob globSync sync globby globbySync globStream fg fastGlob klaw walk walkSync
readDirectory getFiles scandir tinyglobby fdir crawl`.split(/\s+/),
);
/** Fields whose paths and patterns a library loads: TypeORM, MikroORM, CDK, PM2. */
const loadedFields = new Set([
  'entities',
  'migrations',
  'subscribers',
  'models',
  'entry',
  'dir',
  'commands',
  'handler',
  'exec',
  'filename',
  'preload',
]);

const importedByGlob = new Set(['glob', 'globEager']);
const types = new Set(['CallExpression', 'NewExpression', 'ImportExpression', 'Property']);
const pathTypes = new Set(['BinaryExpression', 'TemplateLiteral', 'CallExpression', 'NewExpression']);

/** What a text of code loads by name. The text is parsed only if it has a word that may do so. */
export function loadedByName(script: Script): readonly LoadedByName[] {
  if (script.kind.lang === 'dts' || !mayLoadByName(script.text)) return [];
  const { program } = script;
  if (program === null) return [];
  const { paths, nodes } = PathExpressions.read(program, types);
  const importsComputed = nodes.some((node) => isComputedImport(node));
  const found: LoadedByName[] = [];
  for (const node of nodes)
    for (const load of loadedBy(node, paths, importsComputed)) found.push({ ...load, offset: node.start });
  // `path.join(__dirname, 'tools/job.js')`, wherever it goes: to a process, a worker, a window.
  for (const { path, offset } of ownPaths(program, paths))
    found.push({ ...path, depth: 'any', folders: importsComputed, offset });
  return distinct(found);
}

function loadedBy(node: SyntaxNode, expressions: PathExpressions, importsComputed: boolean): Load[] {
  if (node.type === 'Property') {
    const value = node['value'];
    if (!isNode(value) || !loadedFields.has(keyOf(node, 'key') ?? '')) return [];
    return expressions.within(value, 'choices').map((path) => ({ ...path, depth: 'any', folders: true }));
  }
  const { callee } = node;
  const owner = isOfType(callee, 'MemberExpression') ? callee['object'] : null;
  const name = (isOfType(callee, 'MemberExpression') ? keyOf(callee, 'property') : nameOf(callee)) ?? '';
  const args = nodesOf(node['arguments']);
  const paths = args.flatMap((arg) => (arg.type === 'ObjectExpression' ? [] : expressions.within(arg, 'choices')));
  if (name === 'context' && nameOf(owner) === 'require') return contextOf(args, expressions);
  if (importedByGlob.has(name) && isOfType(owner, 'MetaProperty'))
    return paths.map(({ pattern, ofFile }) => ({
      pattern,
      ofFile: ofFile || !pattern.startsWith('/'),
      depth: 'any',
      folders: false,
    }));
  const isStarter = starters.has(name);
  const isLoader = folderLoaders.has(name);
  const isLister = importsComputed && listers.has(name);
  if (!isStarter && !isLoader && !isLister) return [];
  const commands = isStarter ? paths.flatMap(({ pattern }) => commandsOf(pattern).flatMap(filesRunBy)) : [];
  return [
    ...paths.map((path): Load => ({ ...path, depth: 'any', folders: isLoader || isLister })),
    ...commands.map((pattern): Load => ({ pattern, ofFile: false, depth: 'any', folders: false })),
  ];
}

/** `require.context('./demo', true, /\.js$/)` of webpack. Its expression is not applied: it comes from outside. */
function contextOf([folder, deep]: readonly SyntaxNode[], expressions: PathExpressions): Load[] {
  const path = expressions.of(folder);
  const isFlat = isOfType(deep, 'Literal') && deep['value'] === false;
  return path === null
    ? []
    : [{ pattern: path.pattern, ofFile: true, depth: isFlat ? 'children' : 'any', folders: true }];
}

/** Whether a node loads a module whose name only a run can say. */
function isComputedImport(node: SyntaxNode): boolean {
  if (node.type === 'ImportExpression') return literalOf(node['source']) === null;
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const isRequire =
    nameOf(callee) === 'require' ||
    (isOfType(callee, 'MemberExpression') &&
      keyOf(callee, 'property') === 'require' &&
      nameOf(callee['object']) !== null);
  const first = nodesOf(node['arguments'])[0];
  return isRequire && first !== undefined && literalOf(first) === null;
}

/** The paths of a program that begin at its own folder. The longest expressions count, not the parts of them. */
function ownPaths(
  program: SyntaxNode,
  expressions: PathExpressions,
): { readonly path: NamedPath; readonly offset: number }[] {
  const found: { readonly path: NamedPath; readonly offset: number }[] = [];
  const pending = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const path = pathTypes.has(node.type) ? expressions.of(node) : null;
    if (path?.ofFile === true) {
      found.push({ path, offset: node.start });
      continue;
    }
    forEachChild(node, (child) => pending.push(child));
  }
  return found;
}

function distinct(found: readonly LoadedByName[]): LoadedByName[] {
  const paths = found.filter(({ pattern }) => pattern.length <= 512 && !pattern.includes('\0'));
  return [
    ...new Map(paths.map((path) => [`${path.pattern}\0${path.ofFile}${path.folders}${path.depth}`, path])).values(),
  ];
}

/**
 * The files of the tree that these paths mean. Tests in a folder that is loaded are not: a test that is named by itself is.
 *
 * @param packageFolder of the nearest manifest: a program is mostly started there, or at the tree's root
 */
export function filesLoaded(
  loads: readonly LoadedByName[],
  from: string,
  packageFolder: string,
  files: TreeFiles,
): readonly string[] {
  const own = folderOf(from);
  const found = new Set<string>();
  for (const { pattern, ofFile, depth, folders } of loads) {
    const bases = ofFile ? [own] : basesOf(pattern, own, packageFolder);
    for (const base of bases) {
      const target = pattern.startsWith('/') && !ofFile ? `.${pattern}` : pattern;
      if (target.includes('*')) {
        // An unknown name in a path is one that the program lists or is given.
        if (folders || target.includes('/'))
          for (const file of files.matching(base, target)) if (isLoadable(file)) found.add(file);
        continue;
      }
      for (const file of files.sources(base, target))
        if (file !== from && (ofFile || roleOf(file) !== 'config')) found.add(file);
      const folder = joinPath(base, target);
      if (!folders || folder === null || !files.hasFolder(folder)) continue;
      // A program that lists the folder of its package or the tree does not load all that is below.
      const isRoot = folder === '' || folder === packageFolder;
      for (const file of files.within(folder, isRoot ? 'children' : depth)) if (isLoadable(file)) found.add(file);
    }
  }
  return [...found];
}

/** Where a path begins that is not relative to its file. One that begins with a slash may be that of a server. */
function basesOf(pattern: string, own: string, packageFolder: string): readonly string[] {
  const bases = [...new Set([own, packageFolder, ''])];
  if (!pattern.startsWith('/')) return bases;
  return bases.flatMap((base) => ['', 'public', 'static', 'src'].flatMap((folder) => joinPath(base, folder) ?? []));
}

function isLoadable(file: string): boolean {
  const role = roleOf(file);
  return (
    role === 'prod' || role === 'script' || (role === 'test' && !isTestName(file) && !/(?:^|\/)tests?\//.test(file))
  );
}
