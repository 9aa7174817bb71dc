import { wordSet } from '../../word-set.js';
import type { Reference } from '../parse/reference.js';
import { isNode, nameOf, nodesOf, type SyntaxNode } from './nodes.js';

/** The value of a name: a whole module, one of its exports, the `require` that createRequire made, or anything else. */
export type Binding =
  | { readonly kind: 'module'; readonly reference: Reference }
  | { readonly kind: 'export'; readonly reference: Reference }
  | { readonly kind: 'require' }
  | { readonly kind: 'other' };

const other: Binding = { kind: 'other' };

/** The names that one block, function or module declares. */
export class Scope {
  readonly outer: Scope | null;
  readonly isFunction: boolean;
  readonly #bindings = new Map<string, Binding>();

  constructor(outer: Scope | null, isFunction: boolean) {
    this.outer = outer;
    this.isFunction = isFunction;
  }

  /** Declares a name. A later declaration does not replace a binding other than `other`. */
  declare(name: string, binding: Binding = other): void {
    const known = this.#bindings.get(name);
    if (known === undefined || known.kind === 'other') this.#bindings.set(name, binding);
  }

  /** The innermost scope that declares the name, with its binding there. */
  find(name: string): { readonly scope: Scope; readonly binding: Binding } | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const binding = scope.#bindings.get(name);
      if (binding !== undefined) return { scope, binding };
    }
    return null;
  }

  /** The nearest scope of a function or of the module, where `var` declares. */
  get functionScope(): Scope {
    let scope: Scope = this;
    while (!scope.isFunction && scope.outer !== null) scope = scope.outer;
    return scope;
  }
}

const functions = wordSet('FunctionDeclaration FunctionExpression ArrowFunctionExpression TSModuleBlock StaticBlock');
const blocks = wordSet('BlockStatement ForStatement ForInStatement ForOfStatement SwitchStatement CatchClause');

/** Declares the names of a node in their scopes, and returns the scope of its children. */
export function enterScope(node: SyntaxNode, scope: Scope): Scope {
  switch (node.type) {
    case 'VariableDeclaration': {
      const target = node['kind'] === 'var' ? scope.functionScope : scope;
      for (const declarator of nodesOf(node['declarations'])) declarePattern(declarator['id'], target);
      return scope;
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
      declarePattern(node['id'], scope);
      break;
  }
  const isFunction = functions.has(node.type);
  if (!isFunction && !blocks.has(node.type)) return scope;
  const inner = new Scope(scope, isFunction);
  for (const parameter of nodesOf(node['params'])) declarePattern(parameter, inner);
  if (node.type === 'FunctionExpression') declarePattern(node['id'], inner);
  if (node.type === 'CatchClause') declarePattern(node['param'], inner);
  return inner;
}

/** The key under which a node of a pattern holds its inner patterns. */
const innerPatterns: Readonly<Record<string, string>> = {
  ObjectPattern: 'properties',
  ArrayPattern: 'elements',
  Property: 'value',
  AssignmentPattern: 'left',
  RestElement: 'argument',
  TSParameterProperty: 'parameter',
};

function declarePattern(pattern: unknown, scope: Scope): void {
  const pending = [pattern];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isNode(next)) continue;
    const name = nameOf(next);
    const key = name === null ? innerPatterns[next.type] : undefined;
    const inner = key === undefined ? null : next[key];
    if (name !== null) scope.declare(name);
    else if (Array.isArray(inner)) for (const one of inner) pending.push(one);
    else pending.push(inner);
  }
}
