/** Where a static import or export may name another module, or a comment the types of one. */
const naming = /\bfrom\s*["'/]|\bimport\b|<reference/g;

/** The beginning of a line on which a statement of the module begins. */
const statement =
  /\n(?=(?:export|import|const|let|var|function|class|interface|type|declare|async|abstract|enum|namespace)\b|\/\*\*)/g;

/** A comment from its beginning on, with a star at the beginning of each line. */
const starred = /^\/\*[^\n]*(?:\n[ \t]*\*[^\n]*)*$/;

/**
 * The beginning of a module, with all of its static imports and of its exports from elsewhere: after it none of the words
 * stand that they are made with, but in comments of documentation. It ends where a statement of the module seems to begin:
 * where that lies in something else, the head is no whole program. Empty where nothing is imported.
 */
export function headOf(text: string): string {
  const places = Array.from(text.matchAll(naming), ({ index }) => index);
  let last = places.pop();
  while (last !== undefined) {
    const comment = documentationAround(text, last);
    if (comment === null) break;
    while (last !== undefined && last >= comment) last = places.pop();
  }
  if (last === undefined) return '';
  statement.lastIndex = last;
  const end = statement.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end + 1);
}

/** Where the comment begins that a place lies in, if it is one of documentation: alone on its lines, with stars. */
function documentationAround(text: string, place: number): number | null {
  const start = text.lastIndexOf('/*', place);
  if (start === -1 || text.lastIndexOf('*/', place) > start) return null;
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return before.trim() === '' && starred.test(text.slice(start, place)) ? start : null;
}
