import type { SourceKind } from '../source-kinds.js';

/** A script in a file, and the offset where it begins there (UTF-16 code units). */
export interface ScriptBlock {
  readonly text: string;
  readonly offset: number;
}

const openingTag = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const otherType = /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript|text\/babel|ts\b)[\w/+.-]+/i;
const frontMatter = /^(?:\s*)---[^\S\n]*\r?\n/;

/** The scripts of a file: the whole file, or the `<script>` elements of a component and Astro's front matter. */
export function scriptBlocks(text: string, kind: SourceKind): readonly ScriptBlock[] {
  if (kind.blocks === 'none') return [{ text, offset: 0 }];
  if (kind.blocks === 'html') return scriptElements(text, 0);
  const start = frontMatter.exec(text)?.[0].length ?? 0;
  const end = start === 0 ? -1 : text.indexOf('\n---', start - 1);
  if (end === -1) return scriptElements(text, 0);
  return [{ text: text.slice(start, end), offset: start }, ...scriptElements(text, end)];
}

/** The `src` of each `<script src="...">` element of a page. */
export function scriptSources(text: string): readonly string[] {
  return Array.from(text.matchAll(openingTag), ([, attributes = '']) => {
    return /\bsrc\s*=\s*["']([^"']+)["']/i.exec(attributes)?.[1];
  }).filter((source) => source !== undefined);
}

function scriptElements(text: string, from: number): ScriptBlock[] {
  const blocks: ScriptBlock[] = [];
  let after = from;
  for (const match of text.matchAll(openingTag)) {
    if (match.index < after || otherType.test(match[1] ?? '')) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf('</script', start);
    if (end === -1) break;
    blocks.push({ text: text.slice(start, end), offset: start });
    after = end;
  }
  return blocks;
}
