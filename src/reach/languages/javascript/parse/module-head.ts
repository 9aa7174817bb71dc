import { matchAt } from '../../mask.js';

/** Words of static imports, of exports from other modules, and of comments that name the types of a package. */
const moduleWord = /\bfrom\s*["'/]|\bimport\b|<reference/g;

/** A line end before a line that seems to begin a statement of the module. */
const statement =
  /\n(?=(?:export|import|const|let|var|function|class|interface|type|declare|async|abstract|enum|namespace)\b|\/\*\*)/g;

/** The start of a block comment whose lines each begin with a star. */
const starredComment = /^\/\*[^\n]*(?:\n[ \t]*\*[^\n]*)*$/;

/**
 * The beginning of a module, with all its static imports and exports from other modules. After it, the words of imports
 * occur only in documentation comments. It ends where a statement seems to begin. If that line is inside a string or
 * another statement, the head does not parse. Empty if the module imports nothing.
 */
export function headOf(text: string): string {
  const places = Array.from(text.matchAll(moduleWord), ({ index }) => index);
  let last = places.pop();
  while (last !== undefined) {
    const comment = docCommentStart(text, last);
    if (comment === null) break;
    while (last !== undefined && last >= comment) last = places.pop();
  }
  if (last === undefined) return '';
  const end = matchAt(statement, text, last)?.index;
  return end === undefined ? text : text.slice(0, end + 1);
}

/** Where the documentation comment around a place begins: alone on its lines, which begin with stars. Null if none. */
function docCommentStart(text: string, place: number): number | null {
  const start = text.lastIndexOf('/*', place);
  if (start === -1 || text.lastIndexOf('*/', place) > start) return null;
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return before.trim() === '' && starredComment.test(text.slice(start, place)) ? start : null;
}
