import { removed, shownImage } from './hidden-html.js';

/** Longer labels, addresses and titles are taken for text. The bounds keep the cost of a hostile text in proportion to its length. */
const destination = String.raw`<[^<>\n]{0,2048}>|[^\s()<>]{0,2048}(?:\([^\s()]{0,512}\)[^\s()<>]{0,512})?`;
const title = String.raw`"[^"]{0,2048}"|'[^']{0,2048}'|\([^()]{0,2048}\)`;

/** `](address "title")`, whatever the label before it. */
const target = new RegExp(String.raw`\]\(\s{0,8}(${destination})(?:\s{1,8}(?:${title}))?\s{0,8}\)`, 'g');
const imageTarget = new RegExp(
  String.raw`(?:\(\s{0,8}(?:${destination})(?:\s{1,8}(?:${title}))?\s{0,8}\)|\[[^\[\]]{0,512}\])`,
  'y',
);
const emptyLink = /\[\s{0,64}\]\([^()\n]{0,2048}\)/g;

/** `[name]: address "title"` on separate lines (CommonMark 4.7) renders to nothing. */
const definition = new RegExp(
  String.raw`^ {0,3}\[[^\]\n]{1,512}\]:[ \t]{0,8}\n?[ \t]{0,8}(<[^<>\n]{0,2048}>|[^\s<]\S{0,2048})(?:[ \t]{0,8}\n?[ \t]{0,8}(${title}))?[ \t]{0,8}$`,
  'gm',
);

/** Text without what Markdown hides. It shows what its rendering would show, and no more. */
export function stripMarkdown(text: string): string {
  return stripImages(text)
    .replace(definition, (whole: string, address: string, hidden: string | undefined) =>
      hidden === undefined && /^<?https?:\/\//i.test(address) ? whole : removed,
    )
    .replace(emptyLink, removed)
    .replace(target, (_, address: string) => (isAddress(address) ? `](${address})` : ']'));
}

/** False of a document or program that is written as an address. */
function isAddress(text: string): boolean {
  return !/^<?\s*(?:data|javascript|vbscript):/i.test(text);
}

/** Images show no text where they load. */
function stripImages(text: string): string {
  let visible = '';
  let from = 0;
  for (let at = text.indexOf('!['); at !== -1; at = text.indexOf('![', at + 2)) {
    if (at < from) continue;
    const end = endOfImage(text, at);
    if (end === null) continue;
    visible += text.slice(from, at) + shownImage;
    from = end;
  }
  return visible + text.slice(from);
}

function endOfImage(text: string, at: number): number | null {
  const labelEnd = endOfLabel(text, at + 1);
  if (labelEnd === null) return null;
  imageTarget.lastIndex = labelEnd;
  return imageTarget.test(text) ? imageTarget.lastIndex : null;
}

const maxLabelLength = 2048;
const maxDepth = 8;

/** Past the bracket that closes the one at `open`. */
function endOfLabel(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length && at - open < maxLabelLength; at++) {
    const character = text.charAt(at);
    if (character === '[') depth++;
    else if (character === ']') depth--;
    if (depth === 0) return at + 1;
    if (depth > maxDepth) return null;
  }
  return null;
}
