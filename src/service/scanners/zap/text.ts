import { shownImage, stripHtml } from '../../../shared/text/hidden-html.js';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Plain text of ZAP's HTML texts, one line a paragraph, without what a page would hide. Escaped characters become text, never markup:
 * an image that is written in them is no image either.
 */
export function plainZapText(html: string): string {
  return stripHtml(html)
    .replace(/<(?:\/p|\/li|br\s{0,3}\/?)>/gi, '\n')
    .replace(/<\/?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200})?>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, decodeReference)
    .replace(/<img\b[^<>]{0,2000}>/gi, shownImage)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

function decodeReference(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const isText = code === 9 || code === 10 || (code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
  return isText ? String.fromCodePoint(code) : whole;
}
