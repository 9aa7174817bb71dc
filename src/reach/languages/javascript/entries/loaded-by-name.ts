import { setsOf } from '../../../knowledge/knowledge.js';
import type { Script } from '../parse/script.js';
import { commandsOf, filesRunBy } from '../project/commands.js';
import { isNode, isOfType, keyOf, literalOf, nameOf, nodesOf, type SyntaxNode } from '../syntax-tree/nodes.js';
import { mayLoadByName } from './loading-words.js';
import { type NamedPath, PathExpressions } from './path-expressions.js';

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

const listed = setsOf('javascript/loaders');
/** Functions that load or start the code that their arguments name. */
const starters = listed('starters');
/** Functions that load all code of the folders or patterns in their arguments. */
const folderLoaders = listed('folderLoaders');
/** Functions that list files; they load code only where the file also imports by computed names. */
const listers = listed('listers');
/** Fields whose paths and patterns a library loads: TypeORM, MikroORM, CDK, PM2. */
const loadedFields = listed('loadedFields');

const importedByGlob = new Set(['glob', 'globEager']);
const pathTypes = new Set(['BinaryExpression', 'TemplateLiteral', 'CallExpression', 'NewExpression']);
const types = new Set([...pathTypes, 'ImportExpression', 'Property']);

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
  for (const path of ownPaths(nodes, paths)) found.push({ ...path, depth: 'any', folders: importsComputed });
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
  const pathsIn = () =>
    args.flatMap((arg) => (arg.type === 'ObjectExpression' ? [] : expressions.within(arg, 'choices')));
  if (name === 'context' && nameOf(owner) === 'require') return contextOf(args, expressions);
  if (importedByGlob.has(name) && isOfType(owner, 'MetaProperty'))
    return pathsIn().map(({ pattern, ofFile }) => ({
      pattern,
      ofFile: ofFile || !pattern.startsWith('/'),
      depth: 'any',
      folders: false,
    }));
  const isStarter = starters.has(name);
  const isLoader = folderLoaders.has(name);
  const isLister = importsComputed && listers.has(name);
  if (!isStarter && !isLoader && !isLister) return [];
  const paths = pathsIn();
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
  nodes: readonly SyntaxNode[],
  expressions: PathExpressions,
): Pick<LoadedByName, keyof NamedPath | 'offset'>[] {
  let end = -1;
  let start = -1;
  return nodes.flatMap((node) => {
    // The nodes inside of an expression follow it.
    const isPart = start <= node.start && node.end <= end;
    const path = isPart || !pathTypes.has(node.type) ? null : expressions.of(node);
    if (path?.ofFile !== true) return [];
    ({ start, end } = node);
    return { ...path, offset: start };
  });
}

function distinct(found: readonly LoadedByName[]): LoadedByName[] {
  const paths = found.filter(({ pattern }) => pattern.length <= 512 && !pattern.includes('\0'));
  return [
    ...new Map(paths.map((path) => [`${path.pattern}\0${path.ofFile}${path.folders}${path.depth}`, path])).values(),
  ];
}
