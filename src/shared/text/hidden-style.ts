/** Styles after which an element takes no room, or shows nothing of its text. */
const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:^|;|\s)(?:max-)?(?:width|height)\s*:\s*0*\.?0*\s*(?:[a-z%]|;|!|$)|clip(?:-path)?\s*:|transform\s*:[^;]*scale\w*\(\s*0/;

/** Classes of common style sheets for what nobody sees: a report does not bring its style sheet along. */
const hidingClass =
  /(?:^|\s)(?:hidden|hide|invisible|d-none|is-hidden|sr-only|visually-?hidden|screen-reader(?:-text|-only)?|show-for-sr|opacity-0|text-transparent)(?=\s|$)/i;

/** A text that is moved by as much is outside the page. */
const minOffset = 50;
/** CSS pixels of the smallest letters that somebody could read. */
const minFontSize = 2;
const minOpacity = 0.1;
/** Of 255. Of a page we know nothing but that most are white. */
const nearWhite = 245;

/** True of a style that hides the text of its element. */
export function hidesByStyle(style: string): boolean {
  const text = style.toLowerCase().replace(/\/\*[^*]*\*\//g, '');
  if (hidingStyle.test(text)) return true;
  const values = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/, '')
      .trim();
    values.set(declaration.slice(0, colon).trim(), value);
  }
  const background = values.get('background-color') ?? values.get('background');
  return (
    isSmall(values.get('opacity'), minOpacity, /^([\d.]+)(%?)$/) ||
    isSmall(values.get('font-size'), minFontSize, /^([\d.]+)(|px|pt|%|r?em|v[wh])$/) ||
    hidesByColour(values.get('color'), background) ||
    [...values].some(([property, value]) => movesAway.test(property) && isFarAway(value))
  );
}

/** True of classes by which style sheets hide an element. */
export function hidesByClass(names: string): boolean {
  return hidingClass.test(names);
}

/** True of a text in the colour of its background, and of a page's where it has none. */
export function hidesByColour(colour: string | undefined, background?: string): boolean {
  if (colour === undefined) return false;
  if (colour === 'transparent' || /^(?:rgba|hsla)\([^)]*[,/]\s*0*\.?0*%?\s*\)$/.test(colour)) return true;
  if (background === undefined) return isWhite(colour);
  return colour === background || (isWhite(colour) && isWhite(background));
}

const movesAway = /^(?:left|top|right|bottom|text-indent|margin(?:-\w+)?)$/;

function isFarAway(value: string): boolean {
  return [...value.matchAll(/-([\d.]+)/g)].some(([, number]) => Number(number) >= minOffset);
}

/** Of relative units one is a usual size. */
const pixels: Readonly<Record<string, number>> = { '%': 0.16, em: 16, rem: 16, vw: 10, vh: 10, pt: 1.3 };

function isSmall(value: string | undefined, min: number, form: RegExp): boolean {
  const [, number, unit = ''] = form.exec(value ?? '') ?? [];
  if (number === undefined) return false;
  const scale = min === minOpacity ? (unit === '%' ? 0.01 : 1) : (pixels[unit] ?? 1);
  return Number(number) * scale < min;
}

function isWhite(colour: string): boolean {
  if (colour === 'white') return true;
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(colour) ?? [];
  const parts =
    hex === undefined
      ? (/^rgba?\(\s*(\d+)\s*,?\s*(\d+)\s*,?\s*(\d+)/.exec(colour) ?? []).slice(1).map(Number)
      : (hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])).map((pair) =>
          Number.parseInt(pair, 16),
        );
  return parts.length === 3 && parts.every((part) => part >= nearWhite);
}
