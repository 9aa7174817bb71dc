const commentOrString = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const commaOrString = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** A text of the same length without the comments of JSONC. */
export function withoutComments(text: string): string {
  return text.replace(commentOrString, (found) => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' ')));
}

/** Parses JSON with comments and trailing commas; undefined where it is neither. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(withoutComments(text).replace(commaOrString, (found) => (found === ',' ? ' ' : found)));
    } catch {
      return undefined;
    }
  }
}
