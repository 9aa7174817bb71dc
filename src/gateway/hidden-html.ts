import { hasUnseenContent, isHidden, readTag, seenTag, type Tag } from './html-tag.js';

/** Stands where something was taken out: the text shows the gap, and the rest cannot close up to new markup. */
export const removed = '⟨hidden markup removed⟩';

/** Openings of markup that renders to nothing, and what ends them (HTML and CommonMark 4.6). */
const unrendered: ReadonlyArray<readonly [opening: string, closing: string]> = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

interface Piece {
  readonly seen: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** Text without what HTML hides. One pass: what is taken out is not looked at again, so hostile nesting costs nothing. */
export function stripHtml(text: string): string {
  const unclosed = new Set<string>();
  let seen = '';
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', from)) {
    const piece = readPiece(text, at, unclosed);
    seen += text.slice(from, at) + piece.seen;
    from = piece.end;
  }
  return seen + text.slice(from);
}

function readPiece(text: string, at: number, unclosed: Set<string>): Piece {
  for (const [opening, closing] of unrendered) {
    // Unclosed, it hides the rest of the text, as in a browser.
    if (text.startsWith(opening, at))
      return { seen: removed, end: pastNext(text, closing, at + opening.length) ?? text.length };
  }
  if (/^<![A-Za-z]/.test(text.slice(at, at + 3))) return { seen: removed, end: pastNext(text, '>', at) ?? text.length };
  const tag = readTag(text, at);
  if (tag === null) return { seen: '<', end: at + 1 };
  if (isHidden(tag)) return { seen: removed, end: endOfHidden(text, tag) };
  const unseenEnd = hasUnseenContent(tag) ? endOfUnseen(text, tag, unclosed) : null;
  return unseenEnd === null ? { seen: seenTag(tag), end: tag.end } : { seen: removed, end: unseenEnd };
}

function pastNext(text: string, closing: string, from: number): number | null {
  const at = text.indexOf(closing, from);
  return at === -1 ? null : at + closing.length;
}

/** Where an element with a hiding attribute ends: past those of the same name within it, or with the text. */
function endOfHidden(text: string, { name, end, isVoid }: Tag): number {
  if (isVoid) return end;
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'gi');
  tags.lastIndex = end;
  let depth = 1;
  for (let match = tags.exec(text); match !== null; match = tags.exec(text)) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth === 0) return pastNext(text, '>', match.index) ?? text.length;
  }
  return text.length;
}

/**
 * Where a `<script>` or its like ends: at its first closing tag. Null without one: advisories name such tags in prose, and
 * what they say must survive. `unclosed` keeps the search from running twice.
 */
function endOfUnseen(text: string, { name, end }: Tag, unclosed: Set<string>): number | null {
  if (unclosed.has(name)) return null;
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = end;
  const match = closing.exec(text);
  if (match !== null) return pastNext(text, '>', match.index) ?? text.length;
  unclosed.add(name);
  return null;
}
