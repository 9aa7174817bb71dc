import { visitorKeys } from 'oxc-parser';
import type { PartialSpecifier } from '../parse/reference.js';

/** A node of the syntax tree: ESTree with TypeScript's additions. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function isOfType(value: unknown, type: string): value is SyntaxNode {
  return isNode(value) && value.type === type;
}

/** The nodes of a list, such as the arguments of a call. */
export function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Visits the direct children of a node, each with the key of the parent that holds it. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode, key: string) => void): void {
  const keys = Object.hasOwn(visitorKeys, node.type) ? (visitorKeys[node.type] ?? []) : [];
  for (const key of keys) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const one of child) if (isNode(one)) visit(one, key);
    } else if (isNode(child)) visit(child, key);
  }
}

/** The name of an identifier, null for any other node. */
export function nameOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  const isName = value.type === 'Identifier' || value.type === 'JSXIdentifier';
  return isName && typeof value['name'] === 'string' ? value['name'] : null;
}

/** The name of a member access or a property, null where it is computed. */
export function keyOf(node: SyntaxNode, key: 'property' | 'key'): string | null {
  const name = node[key];
  if (node['computed'] !== true) return nameOf(name) ?? literalOf(name);
  return literalOf(name);
}

/** The text of a string literal, or of a template without expressions. */
export function literalOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'Literal') return typeof value['value'] === 'string' ? value['value'] : null;
  if (value.type !== 'TemplateLiteral' || nodesOf(value['expressions']).length > 0) return null;
  return cookedText(nodesOf(value['quasis'])[0]);
}

/** The text of a template element with its escape sequences resolved. */
function cookedText(element: SyntaxNode | undefined): string | null {
  const value = element?.['value'];
  if (typeof value !== 'object' || value === null || !('cooked' in value)) return null;
  return typeof value.cooked === 'string' ? value.cooked : null;
}

/** Limit of nested expressions that constant folding looks into. */
const maxDepth = 20;

/**
 * The text that an expression yields, by constant folding: literals, additions, templates, `__dirname` (as `.`), and
 * `path.join` or `path.resolve` of these. Null where no part of it is known.
 */
export function foldedText(node: SyntaxNode | undefined, depth = 0): string | PartialSpecifier | null {
  if (node === undefined || depth > maxDepth) return null;
  const literal = literalOf(node);
  if (literal !== null) return literal;
  const fold = (part: unknown) => (isNode(part) ? foldedText(part, depth + 1) : null);
  if (nameOf(node) === '__dirname') return '.';
  if (node.type === 'BinaryExpression' && node['operator'] === '+')
    return concatenate([fold(node['left']), fold(node['right'])]);
  if (node.type === 'TemplateLiteral') {
    const expressions = nodesOf(node['expressions']);
    return concatenate(
      nodesOf(node['quasis']).flatMap((quasi, at) => [cookedText(quasi), ...expressions.slice(at, at + 1).map(fold)]),
    );
  }
  if (node.type === 'CallExpression' && isPathJoin(node['callee'])) {
    const parts = nodesOf(node['arguments']).map(fold);
    return concatenate(parts.flatMap((part, at) => (at === 0 ? [part] : ['/', part])));
  }
  return null;
}

function isPathJoin(callee: unknown): boolean {
  return (
    isOfType(callee, 'MemberExpression') &&
    nameOf(callee['object']) === 'path' &&
    /^(?:join|resolve)$/.test(keyOf(callee, 'property') ?? '')
  );
}

/** Joins the parts. Everything from the first unknown text to the last one is left out, between prefix and suffix. */
function concatenate(parts: readonly (string | PartialSpecifier | null)[]): string | PartialSpecifier | null {
  let prefix = '';
  let suffix: string | null = null;
  for (const part of parts) {
    if (typeof part === 'string') {
      if (suffix === null) prefix += part;
      else suffix += part;
    } else {
      if (suffix === null) prefix += part?.prefix ?? '';
      suffix = part?.suffix ?? '';
    }
  }
  if (suffix === null) return prefix;
  return prefix === '' ? null : { prefix, suffix };
}
