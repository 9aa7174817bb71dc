/**
 * Control, bidi and invisible characters, lone surrogates, private use. Default_Ignorable_Code_Point (Unicode, UAX 44)
 * covers zero-width characters, fillers, variation selectors and tag characters.
 */
const invisible =
  /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;

/** Terminal escape sequences (ECMA-48), with C0 and C1 introducers. Removed whole: their parameters would stay as text. */
const escapeSequence = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]`,
    String.raw`(?:\x1b\]|\x9d)[^\x07\x1b\x9c]{0,512}(?:\x07|\x1b\\|\x9c)`,
  ].join('|'),
  'g',
);

const zwnj = '\u200c';
const zwj = '\u200d';

/** Letters of scripts that spell with joiners. Elsewhere a joiner has no effect. */
const joiningLetter =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;

const pictograph = /\p{Extended_Pictographic}/u;
const emojiPart = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;
const keycapBase = /[0-9#*]/;
const keycap = '\u20e3';

/**
 * Text without invisible characters. Line breaks (as `\n`) and tabs stay. So do the few invisible characters with an
 * effect: one variation selector after an emoji, a joiner within an emoji or between letters that join.
 */
export function stripInvisible(text: string): string {
  if (text.search(invisible) === -1) return text;
  return text
    .replace(escapeSequence, '')
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(invisible, (character, at: number, whole: string) =>
      keeps(character, before(whole, at), after(whole, at + character.length)) ? character : '',
    );
}

function keeps(character: string, previous: string, next: string): boolean {
  switch (character) {
    case '\n':
    case '\t':
      return true;
    case '\ufe0f':
      return pictograph.test(previous) || (keycapBase.test(previous) && next === keycap);
    case zwj:
      return (
        (emojiPart.test(previous) && pictograph.test(next)) ||
        (joiningLetter.test(previous) && joiningLetter.test(next))
      );
    case zwnj:
      return joiningLetter.test(previous) && joiningLetter.test(next);
    default:
      return false;
  }
}

/** The whole character before a position: a surrogate pair counts as one. */
function before(text: string, at: number): string {
  const pair = text.codePointAt(at - 2);
  return pair !== undefined && pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(at - 1);
}

function after(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
