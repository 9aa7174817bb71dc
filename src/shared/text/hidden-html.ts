import {
  canBeginTag,
  hidesContent,
  isHidden,
  isRemoteImage,
  maxTagLength,
  readTag,
  type Tag,
  visibleTag,
} from './html-tag.js';

/** Replaces what was taken out. It shows the gap, and it keeps the rest from joining to new markup. */
export const removed = '⟨hidden markup removed⟩';

/** Replaces an image, HTML's and Markdown's. */
export const shownImage = '⟨image⟩';

/** Openings of markup that renders to nothing, and what ends them (HTML and CommonMark 4.6). */
const unrendered: ReadonlyArray<readonly [opening: string, closing: string]> = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** Text without what HTML hides. All else stays as it is written. */
export function stripHtml(text: string): string {
  return new HtmlText(text).visible();
}

/** What begins with a `<`. */
interface Markup {
  readonly visible: string;
  /** Position after it. */
  readonly end: number;
  /** The tag, where the markup is just a tag and not an element with its content. */
  readonly tag?: Tag;
}

/** Reads a text in one pass. What is taken out is not read again, so hostile nesting costs no extra time. */
class HtmlText {
  readonly #text: string;
  /** What has no closing further on, elements by their names: so no search runs twice. */
  readonly #unclosed = new Set<string>();
  /** Characters that may still be read in vain, for tags that turn out to be text. Only a hostile text uses them up. */
  #spare: number;

  constructor(text: string) {
    this.#text = text;
    this.#spare = 16 * maxTagLength + 8 * text.length;
  }

  visible(): string {
    let visible = '';
    let from = 0;
    for (let at = this.#text.indexOf('<'); at !== -1; at = this.#text.indexOf('<', from)) {
      const markup = this.#read(at);
      const hidden = markup.tag !== undefined && isHidden(markup.tag) ? markup.tag : null;
      visible += this.#text.slice(from, at) + (hidden === null ? markup.visible : removed);
      from = hidden === null ? markup.end : this.#endOfHidden(hidden);
    }
    return visible + this.#text.slice(from);
  }

  #read(at: number): Markup {
    const text = this.#text;
    const justText = { visible: '<', end: at + 1 };
    for (const [opening, closing] of unrendered) {
      if (!text.startsWith(opening, at)) continue;
      const end = this.#pastClosing(closing, at + opening.length);
      if (end !== null) return { visible: removed, end };
      // Prose names what opens a comment, and goes on. On a line of its own it hides the rest, as it does in Markdown.
      return opening === '<!--' && beginsLine(text, at) ? { visible: removed, end: text.length } : justText;
    }
    if (/^<![A-Za-z]/.test(text.slice(at, at + 3))) {
      const end = this.#pastClosing('>', at);
      return end === null ? justText : { visible: removed, end };
    }
    if (!canBeginTag(text, at)) return justText;
    if (this.#spare < 0) return { visible: removed, end: text.length };
    const tag = readTag(text, at);
    if (tag === null || (tag.spansTags && !isHidden(tag))) {
      this.#spare -= tag === null ? maxTagLength : tag.end - at;
      return justText;
    }
    if (isRemoteImage(tag) && !isHidden(tag)) return { visible: shownImage, end: tag.end };
    const contentEnd = hidesContent(tag) && !isHidden(tag) ? this.#endOfContent(tag) : null;
    return contentEnd === null
      ? { visible: visibleTag(text, tag), end: tag.end, tag }
      : { visible: removed, end: contentEnd };
  }

  /** Past what closes markup; null where nothing does. */
  #pastClosing(closing: string, from: number): number | null {
    if (this.#unclosed.has(closing)) return null;
    const at = this.#text.indexOf(closing, from);
    if (at !== -1) return at + closing.length;
    this.#unclosed.add(closing);
    return null;
  }

  #pastNext(closing: string, from: number): number {
    const at = this.#text.indexOf(closing, from);
    return at === -1 ? this.#text.length : at + closing.length;
  }

  /** Where a hidden element ends: past those of the same name within it, or with the text. */
  #endOfHidden({ name, end, isVoid }: Tag): number {
    if (isVoid) return end;
    let depth = 1;
    for (let at = this.#text.indexOf('<', end); at !== -1; ) {
      const markup = this.#read(at);
      if (markup.tag?.name === name) depth += markup.tag.closing ? -1 : 1;
      if (depth === 0) return markup.end;
      at = this.#text.indexOf('<', markup.end);
    }
    return this.#text.length;
  }

  /** Null without a closing tag: advisories name such tags in prose, and what they say must survive. */
  #endOfContent({ name, end }: Tag): number | null {
    if (this.#unclosed.has(name)) return null;
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = end;
    const match = closing.exec(this.#text);
    if (match !== null) return this.#pastNext('>', match.index);
    this.#unclosed.add(name);
    return null;
  }
}

/** True on a line of its own, as HTML blocks begin there (CommonMark 4.6), with text on lines before. */
function beginsLine(text: string, at: number): boolean {
  return /\n {0,3}$/.test(text.slice(Math.max(0, at - 4), at));
}
