import type { Computed } from '../parse/reference.js';

/** A node of the syntax tree, ESTree with TypeScript's additions. */
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

/** The name of an identifier, null for any other node. */
export function nameOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  const isName = value.type === 'Identifier' || value.type === 'JSXIdentifier';
  return isName && typeof value['name'] === 'string' ? value['name'] : null;
}

/** The name that a member access or a property has, null where it is computed. */
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
  return cooked(nodesOf(value['quasis'])[0]);
}

function cooked(element: SyntaxNode | undefined): string | null {
  const value = element?.['value'];
  if (typeof value !== 'object' || value === null || !('cooked' in value)) return null;
  return typeof value.cooked === 'string' ? value.cooked : null;
}

/** Additions that are looked into, one in the other. */
const maxDepth = 20;

/**
 * The text that an expression comes to, as far as it can be told without running it: literals, additions, templates,
 * `__dirname` (which becomes `.`) and `path.join` or `path.resolve` of these. Null where nothing is known.
 */
export function foldedText(node: SyntaxNode | undefined, depth = 0): string | Computed | null {
  if (node === undefined || depth > maxDepth) return null;
  const literal = literalOf(node);
  if (literal !== null) return literal;
  const fold = (part: unknown) => (isNode(part) ? foldedText(part, depth + 1) : null);
  if (nameOf(node) === '__dirname') return '.';
  if (node.type === 'BinaryExpression' && node['operator'] === '+')
    return join([fold(node['left']), fold(node['right'])]);
  if (node.type === 'TemplateLiteral') {
    const expressions = nodesOf(node['expressions']);
    return join(
      nodesOf(node['quasis']).flatMap((quasi, at) => [cooked(quasi), ...expressions.slice(at, at + 1).map(fold)]),
    );
  }
  if (node.type === 'CallExpression' && isPathJoin(node['callee'])) {
    const parts = nodesOf(node['arguments']).map(fold);
    return join(parts.flatMap((part, at) => (at === 0 ? [part] : ['/', part])));
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

/** Parts one after the other; null, and what is unknown of a part, leave a gap between prefix and suffix. */
function join(parts: readonly (string | Computed | null)[]): string | Computed | null {
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
