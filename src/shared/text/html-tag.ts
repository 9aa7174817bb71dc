import { Parser } from 'htmlparser2';
import { hidesByClass, hidesByColour, hidesByStyle } from './hidden-style.js';

interface Attribute {
  /** Lower case. */
  readonly name: string;
  /** With its entities decoded: `display&#58;none` hides as well as `display:none`. */
  readonly value: string;
  /** Where it begins in the text, and where it ends, past its closing quote. */
  readonly start: number;
  readonly end: number;
}

export interface Tag {
  /** Lower case. */
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  /** Position after the tag. */
  readonly end: number;
  /** True of an element that can have no content, and so no closing tag. */
  readonly isVoid: boolean;
  /** True where another `<` comes before the tag's end, as in `<T extends List<String>`. */
  readonly spansTags: boolean;
}

/** A longer tag is taken for text: it bounds the reading of a text full of `<`. */
export const maxTagLength = 4096;

const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

const tagOpening = /<(\/?)([A-Za-z][A-Za-z0-9-]{0,63})(?=[\s/>])/y;

/** True where `<` can begin a tag. Elsewhere it is text, as in `a < b` or `<4.17.21`. */
export function canBeginTag(text: string, at: number): boolean {
  tagOpening.lastIndex = at;
  return tagOpening.test(text) && text.slice(at, at + maxTagLength).includes('>');
}

/** The tag that begins at `at`, or null where it does not end within its maximal length. */
export function readTag(text: string, at: number): Tag | null {
  tagOpening.lastIndex = at;
  const [, slash, name] = tagOpening.exec(text) ?? [];
  if (name === undefined) return null;
  // The parser skips what a closing tag holds besides its name. Without the slash it reads the tag as an opening one.
  const offset = at + (slash?.length ?? 0);
  const attributes: (Attribute & { readonly isQuoted: boolean })[] = [];
  const ends: number[] = [];
  const parser = new Parser({
    onattribute: (attribute, value, quote) => {
      const [from, to] = [parser.startIndex + offset, parser.endIndex + offset];
      attributes.push({ name: attribute, value, start: from, end: to, isQuoted: typeof quote === 'string' });
    },
    onopentag: () => {
      ends.push(parser.endIndex + offset + 1);
      parser.pause();
    },
  });
  parser.write('<');
  parser.write(text.slice(offset + 1, at + maxTagLength));
  const [end] = ends;
  if (end === undefined) return null;
  return {
    name: name.toLowerCase(),
    closing: slash === '/',
    attributes,
    start: at,
    end,
    isVoid: voidElements.has(name.toLowerCase()),
    spansTags: attributes.some((each) => (each.isQuoted ? each.name : text.slice(each.start, each.end)).includes('<')),
  };
}

const unrenderedElements = new Set(
  'script style template noscript noembed noframes iframe object canvas audio video head title datalist'.split(' '),
);

/** True of the opening tag of an element whose content is not displayed. */
export function hidesContent({ name, closing }: Tag): boolean {
  return !closing && unrenderedElements.has(name);
}

/** True of a tag whose attributes hide it, with its content. */
export function isHidden({ name: element, closing, attributes }: Tag): boolean {
  return (
    !closing &&
    attributes.some(
      ({ name, value }) =>
        name === 'hidden' ||
        (name === 'style' && hidesByStyle(value)) ||
        (name === 'class' && hidesByClass(value)) ||
        (element === 'font' && name === 'color' && hidesByColour(value.trim().toLowerCase())) ||
        (element === 'input' && name === 'type' && /^\s*hidden\s*$/i.test(value)),
    )
  );
}

/** True of an image that is loaded from elsewhere. `<img src=x onerror=…>` in prose is what an advisory is about. */
export function isRemoteImage({ name, closing, attributes }: Tag): boolean {
  return (
    !closing &&
    name === 'img' &&
    attributes.some(
      (each) => /^(?:src|srcset|data-src)$/.test(each.name) && /^\s*(?:https?:|data:|\/\/)/i.test(each.value),
    )
  );
}

/** Attributes whose values are text that is not displayed, or only on hovering. */
const textAttribute = /^(?:alt|title|label|summary|content|placeholder|srcdoc|value|aria-.+|data-.+)$/;

/** The tag as written, but for the attributes that hold text. */
export function visibleTag(text: string, { attributes, start, end }: Tag): string {
  let visible = '';
  let from = start;
  for (const attribute of attributes) {
    if (!textAttribute.test(attribute.name)) continue;
    visible += text.slice(from, attribute.start).trimEnd();
    from = attribute.end;
  }
  return visible + text.slice(from, end);
}
