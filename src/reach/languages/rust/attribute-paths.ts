/** Attributes of a file that are looked at, and characters of one; macros of serde and clap write some hundreds. */
const maxAttributes = 10_000;
const maxLength = 4000;

const attributeStart = /#\s*!?\s*\[/g;
/** Keys whose string is a path of Rust alone: `#[serde(with = "serde_regex")]`. Others hold names of the data (`rename`). */
const wholePath =
  /\b(?:\w*with|default|crate|path|from|into|try_from|remote|getter|bound|as|r#as|field_type|schema_with|context)\s*=\s*$/;
const word = /^[A-Za-z_]\w*$/;
const quoted = /"([^"\\\n]{1,300})"/g;
const pathInText = /(?<![\w.:])(?:::)?([A-Za-z_]\w*(?:::[A-Za-z_]\w*)+)/g;

/**
 * Paths in the strings of attributes, which derive macros turn into code.
 *
 * @param code the text with blank strings and comments, in which every offset is the same place
 */
export function attributePaths(
  text: string,
  code: string,
): { readonly path: readonly string[]; readonly offset: number }[] {
  const found: { path: readonly string[]; offset: number }[] = [];
  let attributes = 0;
  let end = 0;
  for (const { 0: start, index } of code.matchAll(attributeStart)) {
    if (index < end) continue;
    if (attributes++ >= maxAttributes) break;
    end = endOfBrackets(code, index + start.length);
    const attribute = text.slice(index, end);
    if (!attribute.includes('"')) continue;
    for (const { 0: whole, 1: value = '', index: at } of attribute.matchAll(quoted)) {
      // A quote within a comment or a longer string.
      if (code[index + at + 1] !== ' ') continue;
      const offset = index + at + whole.indexOf(value);
      if (word.test(value)) {
        if (wholePath.test(attribute.slice(Math.max(0, at - 40), at))) found.push({ path: [value], offset });
      } else {
        for (const { 1: path = '' } of value.matchAll(pathInText)) found.push({ path: path.split('::'), offset });
      }
    }
  }
  return found;
}

function endOfBrackets(code: string, from: number): number {
  const limit = Math.min(code.length, from + maxLength);
  for (let at = from, depth = 1; at < limit; at++) {
    const char = code[at];
    if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return limit;
}
