import type { PartialSpecifier } from '../parse/reference.js';
import type { DeclaredValues, ValueSource } from './declared-values.js';
import {
  cookedText,
  isNode,
  isOfType,
  keyOf,
  literalOf,
  nameOf,
  nodesOf,
  type SyntaxNode,
  wrapperKeys,
} from './nodes.js';

/** Stands in a text for a part that is not known. */
const gap = '\0';

/** A path that is not known: it names no package. */
const somePath = `/${gap}`;

/** Limits of nested expressions, of expressions that are looked at for one text, and of texts. */
const maxDepth = 20;
const maxSteps = 2000;
const maxTexts = 100;

/** Functions whose result means the same file as their first argument. */
const sameFile = /^(?:String|pathToFileURL|fileURLToPath|normalize|realpathSync|toNamespacedPath)$/;
/** Methods of a text that change nothing in it that matters here. */
const sameText = /^(?:toString|trim|valueOf|normalize)$/;
const pathObject = /^(?:path|posix|win32|nodePath|_path|Path|path\d*|upath)$/;

/**
 * The texts that an expression can yield, by constant folding: literals, additions, templates, both sides of a condition,
 * constants, elements of lists, `__dirname` (as `.`), joined paths. What follows `node_modules/` in a path is a specifier.
 */
export function possibleTexts(node: SyntaxNode, values: DeclaredValues): readonly (string | PartialSpecifier)[] {
  const texts = new Folding(values).texts(node, 0);
  return [...new Set(texts.map((text) => text.replace(/^.*node_modules\/+/s, '')))].map((text) =>
    text.includes(gap)
      ? { prefix: text.slice(0, text.indexOf(gap)), suffix: text.slice(text.lastIndexOf(gap) + 1) }
      : text,
  );
}

type Inner = (part: unknown) => readonly string[];

/** What an expression of a type yields by its parts. Names, members and calls are read by `Folding`. */
const folds: Readonly<Record<string, (node: SyntaxNode, inner: Inner) => readonly string[]>> = {
  Literal: (node) => [String(node['value'])],
  BinaryExpression: (node, inner) =>
    node['operator'] === '+' ? joined([inner(node['left']), inner(node['right'])]) : [gap],
  TemplateLiteral(node, inner) {
    const expressions = nodesOf(node['expressions']);
    return joined(
      nodesOf(node['quasis']).flatMap((quasi, at) => [
        [cookedText(quasi) ?? gap],
        ...expressions.slice(at, at + 1).map(inner),
      ]),
    );
  },
  ConditionalExpression: (node, inner) => capped([...inner(node['consequent']), ...inner(node['alternate'])]),
  LogicalExpression: (node, inner) =>
    capped(node['operator'] === '&&' ? inner(node['right']) : [...inner(node['left']), ...inner(node['right'])]),
  SequenceExpression: (node, inner) => inner(nodesOf(node['expressions']).at(-1)),
  AssignmentExpression: (node, inner) => (node['operator'] === '=' ? inner(node['right']) : [gap]),
  NewExpression: (node, inner) => (nameOf(node['callee']) === 'URL' ? inner(nodesOf(node['arguments'])[0]) : [gap]),
};

class Folding {
  readonly #values: DeclaredValues;
  #steps = 0;

  constructor(values: DeclaredValues) {
    this.#values = values;
  }

  texts(node: unknown, depth: number): readonly string[] {
    if (!isNode(node) || depth > maxDepth || ++this.#steps > maxSteps) return [gap];
    const literal = literalOf(node);
    if (literal !== null) return [literal];
    switch (node.type) {
      case 'Identifier':
        return this.#textsOfName(node, depth);
      case 'MemberExpression':
        return this.#textsOfMember(node, depth);
      case 'CallExpression':
        return this.#textsOfCall(node, depth);
    }
    const inner = (one: unknown) => this.texts(one, depth + 1);
    const wrapped = wrapperKeys[node.type];
    return wrapped === undefined ? (folds[node.type]?.(node, inner) ?? [gap]) : inner(node[wrapped]);
  }

  #textsOfName(node: SyntaxNode, depth: number): readonly string[] {
    const name = nameOf(node);
    if (name === '__dirname') return ['.'];
    if (name === '__filename') return [somePath];
    return capped(this.#values.sourcesOf(node).flatMap((source) => this.#textsOfSource(source, depth + 1)));
  }

  #textsOfSource(source: ValueSource, depth: number): readonly string[] {
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
        return [gap];
    }
  }

  /** `import.meta.dirname`, `url.href`, or a field of an object that is written in the file. */
  #textsOfMember(node: SyntaxNode, depth: number): readonly string[] {
    const { object } = node;
    const property = keyOf(node, 'property');
    if (isOfType(object, 'MetaProperty')) return property === 'dirname' ? ['.'] : [somePath];
    if (property === 'href' || property === 'pathname') return this.texts(object, depth + 1);
    const found = this.#objects(object, depth + 1).flatMap((one) => (isNode(one) ? fieldsOf(one, property) : [null]));
    return capped(found.flatMap((one) => (one === null ? [gap] : this.texts(one, depth + 1))));
  }

  #textsOfCall(node: SyntaxNode, depth: number): readonly string[] {
    const { callee } = node;
    const args = nodesOf(node['arguments']);
    const inner = (one: unknown) => this.texts(one, depth + 1);
    const member = isOfType(callee, 'MemberExpression') ? callee : null;
    const name = member === null ? nameOf(callee) : keyOf(member, 'property');
    const object = member?.['object'] ?? null;
    if (name === null) return [gap];
    if (joinsPath(name, object) && args.length > 0) return joinedPath(args.map(inner));
    if (name === 'cwd' || name === 'dirname') return [somePath];
    if (sameFile.test(name) || name === 'resolve') return inner(args[0]);
    if (object === null) return [gap];
    if (sameText.test(name)) return inner(object);
    if (name === 'concat') return joined([inner(object), ...args.map(inner)]);
    return name === 'join' ? this.#joinedList(object, args[0], depth) : [gap];
  }

  /** `['lo', 'dash'].join('')` */
  #joinedList(list: unknown, separator: SyntaxNode | undefined, depth: number): readonly string[] {
    const between = separator === undefined ? ',' : literalOf(separator);
    const elements = this.#objects(list, depth).flatMap((one) =>
      isOfType(one, 'ArrayExpression') ? [nodesOf(one['elements'])] : [],
    );
    const [only] = elements;
    if (between === null || only === undefined || elements.length > 1) return [gap];
    return joined(only.flatMap((element, at) => [...(at === 0 ? [] : [[between]]), this.texts(element, depth + 1)]));
  }

  /** The elements of a list, or the values of an object: nodes, or texts. */
  #elements(list: unknown, depth: number): readonly (SyntaxNode | string)[] {
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
    return this.#objects(list, depth).flatMap((one): readonly (SyntaxNode | string)[] =>
      isNode(one) ? fieldsOf(one, null).map((node) => node ?? gap) : [gap],
    );
  }

  #split(text: unknown, separator: SyntaxNode | undefined, depth: number): readonly string[] {
    const between = separator === undefined ? null : literalOf(separator);
    if (between === null) return [gap];
    return this.texts(text, depth + 1).flatMap((one) =>
      one.includes(gap) ? [one] : one.split(between).slice(0, maxTexts),
    );
  }

  /** The lists and objects that an expression means; null for one that is not written in the file. */
  #objects(node: unknown, depth: number): readonly (SyntaxNode | null)[] {
    if (!isNode(node) || depth > maxDepth || ++this.#steps > maxSteps) return [null];
    const inner = (one: unknown) => this.#objects(one, depth + 1);
    const wrapped = wrapperKeys[node.type];
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

function keysOf(node: SyntaxNode | null): readonly string[] {
  if (node === null) return [gap];
  return nodesOf(node['properties']).map((field) => keyOf(field, 'key') ?? gap);
}

/** Whether a call joins its arguments to a path. */
function joinsPath(name: string, object: unknown): boolean {
  if (name !== 'join' && name !== 'resolve') return false;
  return object === null || pathObject.test(nameOf(object) ?? '') || isOfType(object, 'CallExpression');
}

/** An absolute path, or one that is joined to something unknown, is a path all the same. */
function joinedPath(parts: readonly (readonly string[])[]): readonly string[] {
  return joined(parts.flatMap((part, at) => (at === 0 ? [part.map(asPath)] : [['/'], part])));
}

/** A text at the beginning of a path. */
function asPath(text: string): string {
  if (text.startsWith(gap)) return `/${text}`;
  return text === '' || text.includes(gap) || /^[./]/.test(text) ? text : `./${text}`;
}

function capped(texts: readonly string[]): readonly string[] {
  return texts.length > maxTexts ? [...texts.slice(0, maxTexts), gap] : texts;
}

/** The texts that one of each part gives, one after the other. */
function joined(parts: readonly (readonly string[])[]): readonly string[] {
  let texts: readonly string[] = [''];
  for (const part of parts) {
    const isTooMany = texts.length * part.length > maxTexts;
    const next = isTooMany ? [gap] : part;
    texts = texts.flatMap((text) => next.map((one) => text + one));
  }
  return texts;
}
