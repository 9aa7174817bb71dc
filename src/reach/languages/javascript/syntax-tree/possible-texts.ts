import type { PartialSpecifier } from '../parse/reference.js';
import type { DeclaredValues, ValueSource } from './declared-values.js';
import {
  concatenate,
  cookedText,
  isNode,
  isOfType,
  keyOf,
  literalOf,
  nameOf,
  nodesOf,
  type SyntaxNode,
} from './nodes.js';

/** A text that an expression may yield, or what is known of it. */
export type PossibleText = string | PartialSpecifier;

/** Nothing is known of the text. */
const anything: PossibleText = { prefix: '', suffix: '' };

/** A path that is not known: it names no package. */
const somePath: PossibleText = { prefix: '/', suffix: '' };

/** Limits of nested expressions, of expressions that are looked at for one text, and of texts. */
const maxDepth = 20;
const maxSteps = 2000;
const maxTexts = 100;

/** Expressions with the value of the expression in them. */
const wrappers: Readonly<Record<string, string>> = {
  AwaitExpression: 'argument',
  ChainExpression: 'expression',
  ParenthesizedExpression: 'expression',
  TSAsExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSTypeAssertion: 'expression',
};

/** Functions whose result means the same file as their first argument. */
const sameFile = /^(?:String|pathToFileURL|fileURLToPath|normalize|realpathSync|toNamespacedPath)$/;
/** Methods of a text that change nothing in it that matters here. */
const sameText = /^(?:toString|trim|valueOf|normalize)$/;
const pathObject = /^(?:path|posix|win32|nodePath|_path|Path|path\d*|upath)$/;

/**
 * The texts that an expression can yield, by constant folding: literals, additions, templates, both sides of a condition,
 * constants, elements of lists, `__dirname` (as `.`), joined paths. What follows `node_modules/` in a path is a specifier.
 */
export function possibleTexts(node: SyntaxNode, values: DeclaredValues): readonly PossibleText[] {
  const texts = new Folding(values).texts(node, 0).map(asSpecifier);
  const distinct = new Map(
    texts.map((text) => [typeof text === 'string' ? `"${text}` : `${text.prefix}\0${text.suffix}`, text]),
  );
  return [...distinct.values()];
}

function asSpecifier(text: PossibleText): PossibleText {
  const installed = /^.*node_modules\/+/s;
  if (typeof text === 'string') return text.replace(installed, '');
  const prefix = text.prefix.replace(installed, '');
  if (prefix !== text.prefix) return { prefix, suffix: text.suffix };
  return installed.test(text.suffix) ? text.suffix.replace(installed, '') : text;
}

class Folding {
  readonly #values: DeclaredValues;
  #steps = 0;

  constructor(values: DeclaredValues) {
    this.#values = values;
  }

  texts(node: unknown, depth: number): readonly PossibleText[] {
    if (!isNode(node) || depth > maxDepth || ++this.#steps > maxSteps) return [anything];
    const literal = literalOf(node);
    if (literal !== null) return [literal];
    const inner = (one: unknown) => this.texts(one, depth + 1);
    const wrapped = wrappers[node.type];
    if (wrapped !== undefined) return inner(node[wrapped]);
    switch (node.type) {
      case 'Literal':
        return [String(node['value'])];
      case 'Identifier':
        return this.#textsOfName(node, depth);
      case 'BinaryExpression':
        return node['operator'] === '+' ? joined([inner(node['left']), inner(node['right'])]) : [anything];
      case 'TemplateLiteral': {
        const expressions = nodesOf(node['expressions']);
        return joined(
          nodesOf(node['quasis']).flatMap((quasi, at) => [
            [cookedText(quasi) ?? anything],
            ...expressions.slice(at, at + 1).map(inner),
          ]),
        );
      }
      case 'ConditionalExpression':
        return capped([...inner(node['consequent']), ...inner(node['alternate'])]);
      case 'LogicalExpression':
        return capped(
          node['operator'] === '&&' ? inner(node['right']) : [...inner(node['left']), ...inner(node['right'])],
        );
      case 'SequenceExpression':
        return inner(nodesOf(node['expressions']).at(-1));
      case 'AssignmentExpression':
        return node['operator'] === '=' ? inner(node['right']) : [anything];
      case 'MemberExpression':
        return this.#textsOfMember(node, depth);
      case 'CallExpression':
        return this.#textsOfCall(node, depth);
      case 'NewExpression':
        return nameOf(node['callee']) === 'URL' ? inner(nodesOf(node['arguments'])[0]) : [anything];
      default:
        return [anything];
    }
  }

  #textsOfName(node: SyntaxNode, depth: number): readonly PossibleText[] {
    const name = nameOf(node);
    if (name === '__dirname') return ['.'];
    if (name === '__filename') return [somePath];
    return capped(this.#values.sourcesOf(node).flatMap((source) => this.#textsOfSource(source, depth + 1)));
  }

  #textsOfSource(source: ValueSource, depth: number): readonly PossibleText[] {
    switch (source.kind) {
      case 'expression':
        return this.texts(source.node, depth);
      case 'element':
        return this.#elements(source.node, depth).flatMap((node) =>
          isNode(node) ? this.texts(node, depth + 1) : [node],
        );
      case 'key':
        return this.#objects(source.node, depth).flatMap(keysOf);
      case 'unknown':
        return [anything];
    }
  }

  /** `import.meta.dirname`, `url.href`, or a field of an object that is written in the file. */
  #textsOfMember(node: SyntaxNode, depth: number): readonly PossibleText[] {
    const { object } = node;
    const property = keyOf(node, 'property');
    if (isOfType(object, 'MetaProperty')) return property === 'dirname' ? ['.'] : [somePath];
    if (property === 'href' || property === 'pathname') return this.texts(object, depth + 1);
    const found = this.#objects(object, depth + 1).flatMap((one) => (isNode(one) ? fieldsOf(one, property) : [null]));
    return capped(found.flatMap((one) => (one === null ? [anything] : this.texts(one, depth + 1))));
  }

  #textsOfCall(node: SyntaxNode, depth: number): readonly PossibleText[] {
    const { callee } = node;
    const args = nodesOf(node['arguments']);
    const inner = (one: unknown) => this.texts(one, depth + 1);
    const object = isOfType(callee, 'MemberExpression') ? callee['object'] : null;
    const name = object === null ? nameOf(callee) : isNode(callee) ? keyOf(callee, 'property') : null;
    if (name === null) return [anything];
    const isOfPath = object === null || pathObject.test(nameOf(object) ?? '') || isOfType(object, 'CallExpression');
    if (isOfPath && (name === 'join' || name === 'resolve') && args.length > 0 && !this.#isList(object)) {
      const parts = args.map(inner);
      // An absolute path, or one that is joined to something unknown, is a path all the same.
      return joined(parts.flatMap((part, at) => (at === 0 ? [part.map(asPath)] : [['/'], part])));
    }
    if (name === 'cwd' || name === 'dirname') return [somePath];
    if (sameFile.test(name)) return inner(args[0]);
    if (name === 'resolve') return args[0] === undefined ? [anything] : inner(args[0]);
    if (object === null) return [anything];
    if (sameText.test(name)) return inner(object);
    if (name === 'concat') return joined([inner(object), ...args.map(inner)]);
    if (name === 'join') return this.#joinedList(object, args[0], depth);
    return [anything];
  }

  #isList(object: unknown): boolean {
    return isOfType(object, 'ArrayExpression');
  }

  /** `['lo', 'dash'].join('')` */
  #joinedList(list: unknown, separator: SyntaxNode | undefined, depth: number): readonly PossibleText[] {
    const between = separator === undefined ? ',' : literalOf(separator);
    const elements = this.#objects(list, depth).flatMap((one) =>
      isOfType(one, 'ArrayExpression') ? [nodesOf(one['elements'])] : [],
    );
    const [only] = elements;
    if (between === null || only === undefined || elements.length > 1) return [anything];
    return joined(only.flatMap((element, at) => [...(at === 0 ? [] : [[between]]), this.texts(element, depth + 1)]));
  }

  /** The elements of a list, or the values of an object: nodes, or texts. */
  #elements(list: unknown, depth: number): readonly (SyntaxNode | PossibleText)[] {
    if (isOfType(list, 'CallExpression') && isOfType(list['callee'], 'MemberExpression')) {
      const { callee } = list;
      const method = isNode(callee) ? keyOf(callee, 'property') : null;
      const object = isNode(callee) ? callee['object'] : null;
      const [first] = nodesOf(list['arguments']);
      if (/^(?:filter|sort|toSorted|reverse|toReversed|slice)$/.test(method ?? ''))
        return this.#elements(object, depth + 1);
      if (method === 'split') return this.#split(object, first, depth);
      if (nameOf(object) === 'Object' && method === 'keys') return this.#objects(first, depth).flatMap(keysOf);
      if (nameOf(object) === 'Object' && method === 'values') return this.#elements(first, depth + 1);
    }
    return this.#objects(list, depth).flatMap((one) =>
      isNode(one) ? fieldsOf(one, null).map((node) => node ?? anything) : [anything],
    );
  }

  #split(text: unknown, separator: SyntaxNode | undefined, depth: number): readonly PossibleText[] {
    const between = separator === undefined ? null : literalOf(separator);
    if (between === null) return [anything];
    return this.texts(text, depth + 1).flatMap((one): readonly PossibleText[] =>
      typeof one === 'string' ? one.split(between).slice(0, maxTexts) : [one],
    );
  }

  /** The lists and objects that an expression means; null for one that is not written in the file. */
  #objects(node: unknown, depth: number): readonly (SyntaxNode | null)[] {
    if (!isNode(node) || depth > maxDepth || ++this.#steps > maxSteps) return [null];
    const inner = (one: unknown) => this.#objects(one, depth + 1);
    const wrapped = wrappers[node.type];
    if (wrapped !== undefined) return inner(node[wrapped]);
    switch (node.type) {
      case 'ArrayExpression':
      case 'ObjectExpression':
        return [node];
      case 'Identifier':
        return this.#values.sourcesOf(node).flatMap((source) => {
          if (source.kind === 'expression') return inner(source.node);
          if (source.kind !== 'element') return [null];
          return this.#elements(source.node, depth + 1).flatMap((one) => (isNode(one) ? inner(one) : [null]));
        });
      case 'MemberExpression':
        return inner(node['object']).flatMap((one) =>
          one === null
            ? [null]
            : fieldsOf(one, keyOf(node, 'property')).flatMap((field) => (field === null ? [null] : inner(field))),
        );
      case 'NewExpression':
        return nameOf(node['callee']) === 'Set' ? inner(nodesOf(node['arguments'])[0]) : [null];
      case 'CallExpression': {
        const isFreeze = isOfType(node['callee'], 'MemberExpression') && keyOf(node['callee'], 'property') === 'freeze';
        return isFreeze ? inner(nodesOf(node['arguments'])[0]) : [null];
      }
      default:
        return [null];
    }
  }
}

/** The values of a list or an object: of one field, or of all where it is not known which. Null stands for an unknown one. */
function fieldsOf(node: SyntaxNode, name: string | null): readonly (SyntaxNode | null)[] {
  if (node.type === 'ArrayExpression') {
    return nodesOf(node['elements']).map((element) => (element.type === 'SpreadElement' ? null : element));
  }
  const fields = nodesOf(node['properties']);
  const values = fields.map((field) => {
    const value = field.type === 'Property' ? field['value'] : null;
    return { key: field.type === 'Property' ? keyOf(field, 'key') : null, value: isNode(value) ? value : null };
  });
  const named = name === null ? values : values.filter(({ key }) => key === name || key === null);
  return named.length === 0 ? [null] : named.map(({ value }) => value);
}

function keysOf(node: SyntaxNode | null): readonly PossibleText[] {
  if (node === null) return [anything];
  return nodesOf(node['properties']).map((field) => keyOf(field, 'key') ?? anything);
}

/** A text at the beginning of a path. */
function asPath(text: PossibleText): PossibleText {
  if (typeof text === 'string') return /^[./]/.test(text) || text === '' ? text : `./${text}`;
  return text.prefix === '' ? { prefix: '/', suffix: text.suffix } : text;
}

function capped(texts: readonly PossibleText[]): readonly PossibleText[] {
  return texts.length > maxTexts ? [...texts.slice(0, maxTexts), anything] : texts;
}

/** The texts that one of each part gives, one after the other. */
function joined(parts: readonly (readonly PossibleText[])[]): readonly PossibleText[] {
  let texts: readonly PossibleText[] = [''];
  for (const part of parts) {
    const isTooMany = texts.length * part.length > maxTexts;
    const next = isTooMany ? [anything] : part;
    texts = texts.flatMap((text) => next.map((one) => concatenate(text, one)));
  }
  return texts;
}
