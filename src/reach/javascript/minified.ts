/** A bundle for delivery: what it names has been read where it was written, or belongs to nobody here. */
const minifiedName = /[.-]min\.(?:[mc]?js|css)$/i;

/** Characters from which on a text is measured, and the average line that no person writes. */
const longText = 20_000;
const longLine = 500;

export function isMinified(path: string, text: string): boolean {
  if (minifiedName.test(path)) return true;
  if (text.length < longText) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > longLine;
}
