import { addTo } from '../../../lockfiles/group-by.js';
import { wordSet } from '../../word-set.js';
import {
  cookedText,
  forEachChild,
  isNode,
  isOfType,
  keyOf,
  literalOf,
  nameOf,
  nodesOf,
  type SyntaxNode,
} from '../syntax-tree/nodes.js';

/** A path that an expression yields. */
export interface NamedPath {
  /** With `*` for each part that is not known. */
  readonly pattern: string;
  /** Relative to the file itself, and not to the folder where the program was started. */
  readonly ofFile: boolean;
}

/** Limits of nested expressions, of paths that one value may yield, and of the nodes that are looked at for it. */
const maxDepth = 20;
const maxPaths = 200;
const maxVisits = 2000;

/** The file's own name, in a path before `dirname` takes it away. */
const self = './\0self';

/** The paths that the expressions of one program yield. */
export class PathExpressions {
  /** The initial values of the program's variables, by name; several where a name is declared more than once. */
  readonly #variables: ReadonlyMap<string, readonly SyntaxNode[]>;
  readonly #known = new Map<SyntaxNode, NamedPath | null>();

  private constructor(variables: ReadonlyMap<string, readonly SyntaxNode[]>) {
    this.#variables = variables;
  }

  /** Also the nodes of the program that have one of these types. */
  static read(
    program: SyntaxNode,
    types: ReadonlySet<string>,
  ): { readonly paths: PathExpressions; readonly nodes: readonly SyntaxNode[] } {
    const variables = new Map<string, [SyntaxNode, ...SyntaxNode[]]>();
    const nodes: SyntaxNode[] = [];
    const pending: SyntaxNode[] = [program];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const name = node.type === 'VariableDeclarator' ? nameOf(node['id']) : null;
      const value = node['init'];
      if (name !== null && isNode(value)) addTo(variables, name, value);
      if (types.has(node.type)) nodes.push(node);
      forEachChild(node, (child) => pending.push(child));
    }
    return { paths: new PathExpressions(variables), nodes };
  }

  /**
   * The paths in a value: of the expression itself, else of all in it.
   *
   * @param depth `choices`: of lists and conditions; `any`: also of objects and functions, as configurations have them
   */
  within(value: SyntaxNode, depth: 'choices' | 'any'): readonly NamedPath[] {
    const found: NamedPath[] = [];
    const seen = new Set<SyntaxNode>();
    const pending = [value];
    for (let node = pending.pop(); node !== undefined && seen.size < maxVisits; node = pending.pop()) {
      if (seen.has(node) || found.length >= maxPaths) continue;
      seen.add(node);
      const path = this.of(node);
      if (path !== null) {
        found.push(path);
        continue;
      }
      const name = nameOf(node);
      if (name !== null) for (const one of this.#variables.get(name) ?? []) pending.push(one);
      if (depth === 'any' || choices.has(node.type)) forEachChild(node, (child) => pending.push(child));
    }
    return found.filter(({ pattern }) => /[^*/.]/.test(pattern));
  }

  /**
   * The path that an expression yields: a literal, a template, an addition, `path.join(__dirname, 'x')`,
   * `new URL('./x', import.meta.url)`, or a variable with such a value. Null where it yields no text, or nothing of it is
   * known.
   */
  of(node: unknown, depth = 0): NamedPath | null {
    if (!isNode(node) || depth > maxDepth) return null;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // A variable that is made from itself has no path.
    this.#known.set(node, null);
    const path = this.#evaluate(node, (part) => this.of(part, depth + 1));
    const short = path === null || path.pattern.length > maxPathLength ? null : path;
    this.#known.set(node, short);
    return short;
  }

  #evaluate(node: SyntaxNode, inner: Inner): NamedPath | null {
    const literal = literalOf(node);
    if (literal !== null) return { pattern: literal, ofFile: false };
    const name = nameOf(node);
    if (name !== null) return this.#ofName(name, inner);
    switch (node.type) {
      case 'BinaryExpression':
        return node['operator'] === '+' ? concatenate([node['left'], node['right']].map(inner), '') : null;
      case 'TemplateLiteral':
        return ofTemplate(node, inner);
      case 'MemberExpression':
        return ofMember(node, inner);
      case 'NewExpression':
        return nameOf(node['callee']) === 'URL' ? ofUrl(node, inner) : null;
      case 'CallExpression':
        return ofCall(node, inner);
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'AwaitExpression':
        return inner(node['expression'] ?? node['argument']);
    }
    return null;
  }

  #ofName(name: string, inner: Inner): NamedPath | null {
    if (name === '__dirname') return { pattern: '.', ofFile: true };
    if (name === '__filename') return { pattern: self, ofFile: true };
    const values = this.#variables.get(name) ?? [];
    return values.length === 1 ? inner(values[0]) : null;
  }
}

/** A longer text is no path. */
const maxPathLength = 512;

/** Expressions whose value is one of their parts, or a list of them. */
const choices = wordSet(
  'ArrayExpression ConditionalExpression LogicalExpression SpreadElement TSAsExpression AwaitExpression',
);

type Inner = (part: unknown) => NamedPath | null;

function ofTemplate(node: SyntaxNode, inner: Inner): NamedPath | null {
  const expressions = nodesOf(node['expressions']);
  const parts = nodesOf(node['quasis']).flatMap((quasi, at) => {
    const text = cookedText(quasi);
    const literal = text === null ? null : { pattern: text, ofFile: false };
    return [literal, ...expressions.slice(at, at + 1).map(inner)];
  });
  return concatenate(parts, '');
}

/** `import.meta.dirname` and the like, and `url.pathname` of a known URL. */
function ofMember(node: SyntaxNode, inner: Inner): NamedPath | null {
  const member = keyOf(node, 'property') ?? '';
  if (!isOfType(node['object'], 'MetaProperty'))
    return /^(?:pathname|href)$/.test(member) ? inner(node['object']) : null;
  if (/^(?:dirname|dir)$/.test(member)) return { pattern: '.', ofFile: true };
  return /^(?:url|filename|path)$/.test(member) ? { pattern: self, ofFile: true } : null;
}

function ofUrl(node: SyntaxNode, inner: Inner): NamedPath | null {
  const [target, base] = nodesOf(node['arguments']).map(inner);
  if (target === undefined || target === null) return null;
  return base?.ofFile === true ? { pattern: `${folderOfPath(base.pattern)}/${target.pattern}`, ofFile: true } : target;
}

function ofCall(node: SyntaxNode, inner: Inner): NamedPath | null {
  const { callee } = node;
  const member = isOfType(callee, 'MemberExpression') ? (keyOf(callee, 'property') ?? '') : '';
  const name = nameOf(callee) ?? member;
  const args = nodesOf(node['arguments']);
  if (/^(?:join|resolve)$/.test(name) && args.length > 0) return concatenate(args.map(inner), '/');
  if (name === 'dirname') {
    const path = inner(args[0]);
    return path && { ...path, pattern: folderOfPath(path.pattern) };
  }
  if (/^(?:fileURLToPath|pathToFileURL|normalize|normalizePath|String|toNamespacedPath|realpathSync)$/.test(name))
    return inner(args[0]);
  if (member === 'toString' && isNode(callee)) return inner(callee['object']);
  if (member === 'cwd') return { pattern: '.', ofFile: false };
  return null;
}

function folderOfPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash) || '/';
}

/** Joins the parts, an unknown one as `*`. Null where no part is known. */
function concatenate(parts: readonly (NamedPath | null)[], between: string): NamedPath | null {
  if (parts.every((part) => part === null)) return null;
  // What follows an absolute path of the file itself begins there.
  const start = parts.findLastIndex((part) => part?.ofFile === true);
  const used = start === -1 ? parts : parts.slice(start);
  const pattern = used
    .map((part) => part?.pattern ?? '*')
    .join(between)
    .replace(/\*{3,}/g, '**');
  // `root + '/src/x.js'` with an unknown root: what is known is its end.
  return { pattern: start === -1 ? pattern.replace(/^\*\/+/, '') : pattern, ofFile: start !== -1 };
}
