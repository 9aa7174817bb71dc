import { addTo } from '../../../lockfiles/group-by.js';
import { forEachChild, isNode, isOfType, keyOf, nameOf, nodesOf, type SyntaxNode } from './nodes.js';

/** Where the value of a name comes from. */
export type ValueSource =
  | { readonly kind: 'expression'; readonly node: SyntaxNode }
  /** An element of a list, or a value of an object. */
  | { readonly kind: 'element'; readonly node: SyntaxNode }
  /** The name of a field of an object. */
  | { readonly kind: 'key'; readonly node: SyntaxNode }
  | { readonly kind: 'unknown' };

interface Declaration {
  /** The part of the text where the name has this meaning. */
  readonly from: number;
  readonly to: number;
  readonly sources: ValueSource[];
}

interface Parent {
  readonly node: SyntaxNode;
  readonly key: string;
}

/** Declarations or reads of one name that are told apart; of a name with more, nothing is known. */
const maxSameName = 500;

const unknown: ValueSource = { kind: 'unknown' };

/** Methods of lists that call a function with each element. */
const elementMethods = /^(?:forEach|map|flatMap|filter|some|every|find|findLast|each)$/;

const functionTypes = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const scopeTypes = /^(?:BlockStatement|For\w*Statement|SwitchStatement|CatchClause|StaticBlock|Program)$/;

/**
 * The values that the names of a program can have, as far as its text shows. It is made only where an import is computed: few
 * files have one.
 */
export class DeclaredValues {
  readonly #program: SyntaxNode;
  readonly #parents = new Map<SyntaxNode, Parent>();
  readonly #declarations = new Map<string, Declaration[]>();
  /** Where a name occurs as a value. */
  readonly #reads = new Map<string, [SyntaxNode, ...SyntaxNode[]]>();
  #isRead = false;

  constructor(program: SyntaxNode) {
    this.#program = program;
  }

  /** Where the value of an identifier comes from; `unknown` is among them where the text does not show all. */
  sourcesOf(identifier: SyntaxNode): readonly ValueSource[] {
    this.#read();
    const name = nameOf(identifier);
    if (name === null || (this.#declarations.get(name)?.length ?? 0) > maxSameName) return [unknown];
    const sources = this.#find(name, identifier.start)?.sources;
    return sources === undefined || sources.length === 0 ? [unknown] : sources;
  }

  #find(name: string, at: number): Declaration | undefined {
    let found: Declaration | undefined;
    for (const declaration of this.#declarations.get(name) ?? []) {
      const isInside = declaration.from <= at && at <= declaration.to;
      if (isInside && (found === undefined || declaration.from >= found.from)) found = declaration;
    }
    return found;
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const assignments: SyntaxNode[] = [];
    const parameters: { readonly owner: SyntaxNode; readonly index: number; readonly name: string }[] = [];
    const pending: SyntaxNode[] = [this.#program];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const parent = node;
      forEachChild(node, (child, key) => {
        this.#parents.set(child, { node: parent, key });
        pending.push(child);
      });
      if (node.type === 'Identifier') this.#addRead(node);
      else if (node.type === 'VariableDeclarator') this.#declareVariable(node);
      else if (node.type === 'AssignmentExpression') assignments.push(node);
      else if (node.type === 'ClassDeclaration') this.#declare(node['id'], this.#scopeAround(node, false), [unknown]);
      else if (functionTypes.test(node.type)) {
        if (node.type === 'FunctionDeclaration')
          this.#declare(node['id'], this.#scopeAround(node, false), [{ kind: 'expression', node }]);
        for (const [index, parameter] of nodesOf(node['params']).entries()) {
          const name = nameOf(parameter);
          if (name === null) this.#declarePattern(parameter, node);
          else parameters.push({ owner: node, index, name });
        }
      }
    }
    for (const { owner, index, name } of parameters) this.#add(name, owner, this.#argumentsFor(owner, index));
    for (const { operator, left, right } of assignments) this.#assign(operator, left, right);
  }

  #addRead(node: SyntaxNode): void {
    const name = nameOf(node) ?? '';
    const parent = this.#parents.get(node);
    if (parent === undefined) return;
    const isName =
      (parent.key === 'property' || parent.key === 'key') &&
      parent.node['computed'] !== true &&
      parent.node['shorthand'] !== true;
    if (isName || parent.key === 'id' || parent.key === 'params') return;
    addTo(this.#reads, name, node);
  }

  #declareVariable(declarator: SyntaxNode): void {
    const { id, init } = declarator;
    const declaration = this.#parents.get(declarator)?.node;
    const loop = declaration === undefined ? undefined : this.#parents.get(declaration);
    const scopeOf = (node: SyntaxNode) => this.#scopeAround(node, declaration?.['kind'] === 'var');
    if (nameOf(id) === null) {
      this.#declarePattern(id, scopeOf(declarator));
      return;
    }
    const right = loop?.node['right'];
    const kind = isOfType(loop?.node, 'ForOfStatement') ? 'element' : 'key';
    const isLoop = loop?.key === 'left' && isNode(right) && /^For(?:Of|In)Statement$/.test(loop.node.type);
    const source: ValueSource[] = isLoop
      ? [{ kind, node: right }]
      : isNode(init)
        ? [{ kind: 'expression', node: init }]
        : [];
    this.#declare(id, scopeOf(declarator), source);
  }

  /** Names in a pattern, each of which may have any value. */
  #declarePattern(pattern: unknown, scope: SyntaxNode): void {
    const pending = [pattern];
    for (let left = 1000; pending.length > 0 && left > 0; left--) {
      const next = pending.pop();
      if (!isNode(next)) continue;
      if (nameOf(next) !== null) this.#declare(next, scope, [unknown]);
      else if (next.type === 'Property') pending.push(next['value']);
      else forEachChild(next, (child, key) => (key === 'right' ? undefined : pending.push(child)));
    }
  }

  #declare(id: unknown, scope: SyntaxNode, sources: readonly ValueSource[]): void {
    const name = nameOf(id);
    if (name !== null) this.#add(name, scope, sources);
  }

  #add(name: string, { start, end }: SyntaxNode, sources: readonly ValueSource[]): void {
    const declaration = { from: start, to: end, sources: [...sources] };
    const known = this.#declarations.get(name);
    if (known !== undefined && known.length > maxSameName) return;
    const same = known?.find(({ from, to }) => from === start && to === end);
    if (same !== undefined) same.sources.push(...sources);
    else if (known === undefined) this.#declarations.set(name, [declaration]);
    else if (known.length < maxSameName) known.push(declaration);
    else known.push({ ...declaration, sources: [unknown] });
  }

  #scopeAround(node: SyntaxNode, isVar: boolean): SyntaxNode {
    let at = this.#parents.get(node)?.node;
    while (at !== undefined && !functionTypes.test(at.type) && (isVar || !scopeTypes.test(at.type))) {
      at = this.#parents.get(at)?.node;
    }
    return at ?? this.#program;
  }

  #assign(operator: unknown, left: unknown, right: unknown): void {
    const name = nameOf(left);
    if (!isNode(left)) return;
    if (name === null) {
      if (left.type !== 'MemberExpression')
        for (const inner of namesIn(left)) this.#find(inner, left.start)?.sources.push(unknown);
      return;
    }
    const isPlain = operator === '=' || operator === '||=' || operator === '??=';
    const source: ValueSource = isPlain && isNode(right) ? { kind: 'expression', node: right } : unknown;
    this.#find(name, left.start)?.sources.push(source);
  }

  /** What a function gets for one of its parameters, where all places that call it are known. */
  #argumentsFor(owner: SyntaxNode, index: number): readonly ValueSource[] {
    const parent = this.#parents.get(owner);
    if (parent?.key === 'arguments' && parent.node.type === 'CallExpression')
      return [index === 0 ? elementFor(parent.node, owner) : unknown];
    const name = this.#nameWithin(owner, parent);
    const reads = name === null ? null : (this.#reads.get(name) ?? []);
    if (reads === null || reads.length > maxSameName) return [unknown];
    return reads.map((read) => this.#argumentAt(read, index));
  }

  /** The name by which the file alone calls a function; null where another file may call it too. */
  #nameWithin(owner: SyntaxNode, parent: Parent | undefined): string | null {
    const isVariable = parent?.node.type === 'VariableDeclarator';
    const around = isVariable ? this.#parents.get(parent.node)?.node : owner;
    const holder = around === undefined ? undefined : this.#parents.get(around)?.node.type;
    if (holder?.startsWith('Export')) return null;
    return nameOf(owner.type === 'FunctionDeclaration' ? owner['id'] : isVariable ? parent.node['id'] : null);
  }

  #argumentAt(read: SyntaxNode, index: number): ValueSource {
    const place = this.#parents.get(read);
    const isCall = place?.key === 'callee' && place.node.type === 'CallExpression';
    const argument = isCall ? nodesOf(place.node['arguments'])[index] : undefined;
    return argument === undefined ? unknown : { kind: 'expression', node: argument };
  }
}

/** The arguments that a method of a list passes to its callback. */
function elementFor(call: SyntaxNode, owner: SyntaxNode): ValueSource {
  const { callee } = call;
  if (nodesOf(call['arguments'])[0] !== owner || !isOfType(callee, 'MemberExpression')) return unknown;
  const list = callee['object'];
  const isOfElements = elementMethods.test(keyOf(callee, 'property') ?? '') && isNode(list);
  return isOfElements ? { kind: 'element', node: list } : unknown;
}

function namesIn(pattern: SyntaxNode): string[] {
  const names: string[] = [];
  const pending = [pattern];
  for (let left = 1000; pending.length > 0 && left > 0; left--) {
    const node = pending.pop();
    const name = nameOf(node);
    if (name !== null) names.push(name);
    else if (node !== undefined && node.type !== 'MemberExpression') forEachChild(node, (child) => pending.push(child));
  }
  return names;
}
