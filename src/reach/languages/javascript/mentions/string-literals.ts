import { parseSync } from 'oxc-parser';
import { nestsTooDeeply } from '../parse/nesting.js';
import type { SourceKind } from '../source-kinds.js';
import { forEachChild, isNode, type SyntaxNode } from '../syntax-tree/nodes.js';
import { type PlacedString, quotedStrings } from './file-strings.js';

/** Where a string is no value: the specifiers of imports have been read already, and types are gone when the program runs. */
const passedOver = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSImportType',
  'TSExternalModuleReference',
  'TSTypeAnnotation',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeParameterInstantiation',
]);

/**
 * The string literals of a script, templates included, that may have something at one of the places; comments and types
 * are none. Where no place can be in a string, nothing is parsed; what cannot be parsed gives all that stands in quotes.
 */
export function stringLiterals(text: string, kind: SourceKind, places: readonly number[]): readonly PlacedString[] {
  const hasTemplates = text.includes('`');
  const likely = places.filter(
    (place) => hasTemplates || /["']/.test(text.slice(text.lastIndexOf('\n', place) + 1, place)),
  );
  if (likely.length === 0) return [];
  if (nestsTooDeeply(text)) return quotedStrings(text);
  const result = parseSync('module', text, { lang: kind.lang, preserveParens: false });
  if (result.errors.length > 0 && result.program.body.length === 0) return quotedStrings(text);
  const isComment = (place: number) => result.comments.some(({ start, end }) => start <= place && place < end);
  if (likely.every(isComment)) return [];
  const program: unknown = result.program;
  const found: PlacedString[] = [];
  const open: SyntaxNode[] = isNode(program) ? [program] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (passedOver.has(node.type)) continue;
    if (node.type === 'ExportNamedDeclaration' && isNode(node['source'])) continue;
    const { value } = node;
    if (node.type === 'Literal' && typeof value === 'string') found.push({ text: value, offset: node.start + 1 });
    else if (node.type === 'TemplateElement' && typeof value === 'object' && value !== null && 'raw' in value) {
      if (typeof value.raw === 'string') found.push({ text: value.raw, offset: node.start });
    }
    forEachChild(node, (child) => open.push(child));
  }
  return found.sort((a, b) => a.offset - b.offset);
}
