/** An HTML tag in a text. */
export interface Tag {
  /** Lower case. */
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>;
  /** The tag as written. */
  readonly source: string;
  /** Position after the tag. */
  readonly end: number;
  /** True of an element that can have no content, and so no closing tag. */
  readonly isVoid: boolean;
}

/** A longer tag is taken for text: it bounds the reading of a text full of `<`. */
const maxTagLength = 4096;

const voidElements = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

/** The tag that begins at `at`, or null where `<` is just text, as in `a < b` or `<4.17.21`. */
export function readTag(text: string, at: number): Tag | null {
  const [, slash, rawName] = /^<(\/?)([A-Za-z][A-Za-z0-9-]{0,63})(?=[\s/>])/.exec(text.slice(at, at + 68)) ?? [];
  if (rawName === undefined) return null;
  const end = endOfTag(text, at + 1);
  if (end === null) return null;
  const source = text.slice(at, end);
  const name = rawName.toLowerCase();
  return {
    name,
    closing: slash === '/',
    attributes: readAttributes(source.slice(1 + (slash?.length ?? 0) + name.length, -1)),
    source,
    end,
    isVoid: voidElements.has(name),
  };
}

/** Past the `>` that is not inside a quoted value; null where another `<` or the limit comes first. */
function endOfTag(text: string, from: number): number | null {
  let quote = '';
  for (let at = from; at < text.length && at - from < maxTagLength; at++) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
    else if (character === '<') return null;
  }
  return null;
}

function readAttributes(source: string): Array<readonly [string, string]> {
  return Array.from(
    source.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g),
    ([, name = '', double, single, bare]) => [name.toLowerCase(), double ?? single ?? bare ?? ''] as const,
  );
}

const unseenElements = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'head',
  'title',
  'datalist',
]);

const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(?:%|;|!|$)|font-size\s*:\s*0*\.?0*\s*(?:[a-z%]|;|!|$)|(?:^|;|\s)(?:max-)?(?:width|height)\s*:\s*0*\.?0*\s*(?:[a-z%]|;|!|$)|(?:left|top|right|bottom|text-indent|margin(?:-\w+)?)\s*:\s*-\d{3,}|clip(?:-path)?\s*:|color\s*:\s*transparent|transform\s*:[^;]*scale\w*\(\s*0/i;

/** True of the opening tag of an element whose content no reader sees. */
export function hasUnseenContent({ name, closing }: Tag): boolean {
  return !closing && unseenElements.has(name);
}

/** True of a tag whose attributes hide it, with its content. */
export function isHidden({ name, closing, attributes }: Tag): boolean {
  return (
    !closing &&
    attributes.some(
      ([attribute, value]) =>
        attribute === 'hidden' ||
        (attribute === 'style' && hidingStyle.test(value)) ||
        (name === 'input' && attribute === 'type' && /^\s*hidden\s*$/i.test(value)),
    )
  );
}

/** Attributes whose values are text that stays unseen, or shows only on hovering. */
const textAttribute = /^(?:alt|title|label|summary|content|placeholder|srcdoc|value|aria-.+|data-.+)$/;

/** The tag without the attributes that hold text; as written if it has none. */
export function seenTag({ name, attributes, source }: Tag): string {
  if (!attributes.some(([attribute]) => textAttribute.test(attribute))) return source;
  const kept = attributes.filter(([attribute]) => !textAttribute.test(attribute));
  return `<${[name, ...kept.map(([attribute, value]) => `${attribute}="${value.replaceAll('"', '&quot;')}"`)].join(' ')}>`;
}
