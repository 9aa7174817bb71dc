import type { SourceKind } from '../source-kinds.js';

/** A piece of script in a file, and where it begins there (UTF-16 code units). */
export interface ScriptBlock {
  readonly text: string;
  readonly offset: number;
}

const opening = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const notScript = /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript|text\/babel|ts\b)[\w/+.-]+/i;
const frontMatter = /^(?:\s*)---[^\S\n]*\r?\n/;

/** The script blocks of a file: all of it, or the `<script>` elements of a component, with Astro's front matter. */
export function scriptBlocks(text: string, kind: SourceKind): readonly ScriptBlock[] {
  if (kind.blocks === 'none') return [{ text, offset: 0 }];
  if (kind.blocks === 'html') return elements(text, 0);
  const start = frontMatter.exec(text)?.[0].length ?? 0;
  const end = start === 0 ? -1 : text.indexOf('\n---', start - 1);
  if (end === -1) return elements(text, 0);
  return [{ text: text.slice(start, end), offset: start }, ...elements(text, end)];
}

/** What `<script src="...">` elements of a page lead to, and where each is named. */
export function scriptSources(text: string): readonly { readonly source: string; readonly offset: number }[] {
  return Array.from(text.matchAll(opening), (match) => {
    const source = /\bsrc\s*=\s*["']([^"']+)["']/i.exec(match[1] ?? '');
    return source?.[1] === undefined ? null : { source: source[1], offset: match.index + match[0].indexOf(source[1]) };
  }).filter((found) => found !== null);
}

function elements(text: string, from: number): ScriptBlock[] {
  const blocks: ScriptBlock[] = [];
  let after = from;
  for (const match of text.matchAll(opening)) {
    if (match.index < after || notScript.test(match[1] ?? '')) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf('</script', start);
    if (end === -1) break;
    blocks.push({ text: text.slice(start, end), offset: start });
    after = end;
  }
  return blocks;
}
