import { parseSync } from 'oxc-parser';
import { wordSet } from '../../word-set.js';
import { nestsTooDeeply } from '../parse/nesting.js';
import type { SourceKind } from '../source-kinds.js';
import { forEachChild, isNode, keyOf, type SyntaxNode } from '../syntax-tree/nodes.js';
import { type PlacedString, quotedStrings } from './file-strings.js';

/** Nodes whose strings are not values: specifiers of imports, which are read elsewhere, and types. */
const ignoredNodes = wordSet(
  'ImportDeclaration ExportAllDeclaration TSImportType TSExternalModuleReference TSTypeAnnotation',
  'TSTypeAliasDeclaration TSInterfaceDeclaration TSTypeParameterInstantiation',
);

/**
 * The string literals and templates of a script, without comments and types. The script is parsed only if one of the
 * offsets may be in a string. A script that cannot be parsed gives everything between quotes.
 */
export function stringLiterals(text: string, kind: SourceKind, offsets: readonly number[]): readonly PlacedString[] {
  const hasTemplates = text.includes('`');
  const inStrings = offsets.filter(
    (offset) => hasTemplates || /["']/.test(text.slice(text.lastIndexOf('\n', offset) + 1, offset)),
  );
  if (inStrings.length === 0) return [];
  if (nestsTooDeeply(text)) return quotedStrings(text);
  const result = parseSync('module', text, { lang: kind.lang, preserveParens: false });
  if (result.errors.length > 0 && result.program.body.length === 0) return quotedStrings(text);
  const isInComment = (offset: number) => result.comments.some(({ start, end }) => start <= offset && offset < end);
  if (inStrings.every(isInComment)) return [];
  const program: unknown = result.program;
  return isNode(program) ? literalsIn(program).sort((a, b) => a.offset - b.offset) : [];
}

function literalsIn(program: SyntaxNode): PlacedString[] {
  const found: PlacedString[] = [];
  const pending = [{ node: program, field: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    if (ignoredNodes.has(node.type) || (node.type === 'ExportNamedDeclaration' && isNode(node['source']))) continue;
    const field = (node.type === 'Property' ? keyOf(node, 'key') : null) ?? next.field;
    const { value } = node;
    if (node.type === 'Literal' && typeof value === 'string')
      found.push({ text: value, offset: node.start + 1, field });
    else if (node.type === 'TemplateElement' && typeof value === 'object' && value !== null && 'raw' in value) {
      if (typeof value.raw === 'string') found.push({ text: value.raw, offset: node.start });
    }
    forEachChild(node, (child) => pending.push({ node: child, field }));
  }
  return found;
}
