import type { SourceKind } from '../source-kinds.js';

/** A script in a file, and the offset where it begins there (UTF-16 code units). */
export interface ScriptBlock {
  readonly text: string;
  readonly offset: number;
}

const openingTag = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const otherType =
  /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript|text\/babel|ts\b|text\/typescript|text\/ecmascript)[\w/+.-]+/i;
const frontMatter = /^(?:\s*)---[^\S\n]*\r?\n/;

/**
 * The scripts of a file: the whole file, the `<script>` elements of a component or a page, Astro's front matter, the imports
 * of a Markdown text.
 */
export function scriptBlocks(text: string, { blocks }: SourceKind): readonly ScriptBlock[] {
  switch (blocks) {
    case 'none':
      return [{ text, offset: 0 }];
    case 'html':
      return scriptElements(text, 0);
    case 'page':
      return text.includes('script') ? [...scriptElements(text, 0), ...indentedScripts(text)] : [];
    case 'markdown':
      return markdownScripts(text);
    case 'astro':
      return astroScripts(text);
  }
}

function astroScripts(text: string): readonly ScriptBlock[] {
  const start = frontMatter.exec(text)?.[0].length ?? 0;
  const end = start === 0 ? -1 : text.indexOf('\n---', start - 1);
  if (end === -1) return scriptElements(text, 0);
  return [{ text: text.slice(start, end), offset: start }, ...scriptElements(text, end)];
}

/** The import and export statements of a Markdown text that stand alone on their lines, and its `<script>` elements. */
function markdownScripts(text: string): readonly ScriptBlock[] {
  if (!/\bfrom\b|\bimport\b|<script/.test(text)) return [];
  const prose = withoutCode(text);
  const statements = Array.from(prose.matchAll(markdownImport), ({ 0: statement, index }) => ({
    text: statement,
    offset: index,
  }));
  return [...statements, ...scriptElements(prose, 0)].sort((a, b) => a.offset - b.offset);
}

const markdownImport =
  /^(?:import[ \t]+(?:[\w$*{}\s,]{1,2000}?\sfrom[ \t]*)?|export[ \t]+[\w$*{}\s,]{1,2000}?\sfrom[ \t]*)(["'])[^"'\n]+\1[ \t]*;?[ \t]*$/gm;
const fence = /^[ \t>]*(`{3,}|~{3,})/;

/** A Markdown text with spaces in place of its code and of the settings before it. Offsets stay as they are. */
export function withoutCode(text: string): string {
  let closing: string | null = /^---[ \t]*\r?$/m.exec(text)?.index === 0 ? '---' : null;
  const isFrontMatter = closing !== null;
  return text
    .split('\n')
    .map((line, at) => {
      const mark = closing === '---' ? null : fence.exec(line)?.[1];
      const isClosed =
        closing !== null && (closing === '---' ? at > 0 && /^---\s*$/.test(line) : mark?.startsWith(closing) === true);
      const wasCode = closing !== null;
      if (isClosed) closing = null;
      else if (closing === null && mark !== undefined && mark !== null) closing = mark;
      const isCode = wasCode || closing !== null || (isFrontMatter && at === 0);
      return isCode ? ' '.repeat(line.length) : line.replace(/`[^`\n]+`/g, (code) => ' '.repeat(code.length));
    })
    .join('\n');
}

/** The lines below `script.` in a Pug template. */
function indentedScripts(text: string): ScriptBlock[] {
  return Array.from(text.matchAll(/^([ \t]*)script(?:\(([^)\n]*)\))?\.[ \t]*\r?\n/gm)).flatMap((match) => {
    const [whole, indent = '', attributes = ''] = match;
    if (otherType.test(attributes)) return [];
    const start = match.index + whole.length;
    let end = start;
    while (end < text.length) {
      const lineEnd = text.indexOf('\n', end);
      const next = lineEnd === -1 ? text.length : lineEnd + 1;
      const line = text.slice(end, next);
      if (line.trim() !== '' && !(line.startsWith(indent) && /[ \t]/.test(line[indent.length] ?? ''))) break;
      end = next;
    }
    return end === start ? [] : [{ text: text.slice(start, end), offset: start }];
  });
}

/** The `src` of each `<script src="...">` element of a page. */
export function scriptSources(text: string): readonly string[] {
  return placedScriptSources(text).map((source) => source.text);
}

/** The same, with the offset of the text after its quote. */
export function placedScriptSources(text: string): readonly ScriptBlock[] {
  return Array.from(text.matchAll(openingTag)).flatMap(({ 0: tag, 1: attributes = '', index }) => {
    const source = /\bsrc\s*=\s*["']([^"']+)["']/i.exec(attributes);
    if (source?.[1] === undefined) return [];
    const offset = index + tag.indexOf(attributes) + source.index + source[0].length - source[1].length - 1;
    return [{ text: source[1], offset }];
  });
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
