import { visitorKeys } from 'oxc-parser';

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

/** The fields of a node that hold nodes, lists of nodes, or nothing, by the type of the node. */
const childKeys = new Map(Object.entries(visitorKeys));
const noKeys: readonly string[] = [];

/** `isNode` for what one of the fields holds: every node of a tree comes here, so its type is not looked up again. */
function isChild(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null;
}

/** Visits the direct children of a node, each with the key of the parent that holds it. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode, key: string) => void): void {
  for (const key of childKeys.get(node.type) ?? noKeys) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const one of child) if (isChild(one)) visit(one, key);
    } else if (isChild(child)) visit(child, key);
  }
}

/** Expressions whose value is that of the expression in them, with the key that holds it. */
export const wrapperKeys: Readonly<Record<string, string>> = {
  AwaitExpression: 'argument',
  ChainExpression: 'expression',
  ParenthesizedExpression: 'expression',
  TSAsExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSTypeAssertion: 'expression',
};

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
export function cookedText(element: SyntaxNode | undefined): string | null {
  const value = element?.['value'];
  if (typeof value !== 'object' || value === null || !('cooked' in value)) return null;
  return typeof value.cooked === 'string' ? value.cooked : null;
}
