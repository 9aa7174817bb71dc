/**
 * The parser recurses on the native stack, and a stack overflow there ends the process. On an 8 MB stack it reads 3,900
 * levels of the costliest kind (template literals, type arguments). Real code has some dozens.
 */
const maxLevels = 2000;

/** A text of fewer characters cannot nest too deeply. */
const minLength = 3500;

const statementStart = /(?:const|let|var|import|export|return|class|function|throw|type|interface|await)\b/y;

const opening = 1;
const closing = 2;
const separator = 3;
const lineEnd = 4;
const space = 5;
const operator = 6;

/** What a character means for nesting, by its ASCII code. */
const meanings = new Uint8Array(128);
for (const [characters, meaning] of [
  ['([{', opening],
  [')]}', closing],
  [',;', separator],
  ['\n', lineEnd],
  [' ', space],
  ['!+-:<=?~', operator],
] as const) {
  for (const character of characters) meanings[character.charCodeAt(0)] = meaning;
}

/**
 * Whether a text may nest too deeply for the parser: by brackets, or by operators and keywords in a row without an end
 * of statement (`!!!!a`, `a = a = a`, `new new a`, `if (a) if (a)`). It counts strings and comments too. So it may reject
 * a strange but harmless text, but it misses no harmful one.
 */
export function nestsTooDeeply(text: string): boolean {
  if (text.length < minLength) return false;
  /** The run of each open bracket around the current one. */
  const outerRuns: number[] = [];
  /** Operators, keywords and closed brackets since the last bracket opened or statement ended. */
  let run = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    switch (meanings[text.charCodeAt(at)]) {
      case opening:
        outerRuns.push(run);
        run = 0;
        levels++;
        break;
      case closing:
        levels -= run;
        if (outerRuns.length > 0) levels--;
        run = (outerRuns.pop() ?? 0) + 1;
        levels++;
        break;
      case lineEnd:
        if (startsStatement(text, at + 1)) {
          levels -= run;
          run = 0;
          break;
        }
        if (!isLetter(text, at - 1)) break;
        run++;
        levels++;
        break;
      case separator:
        levels -= run;
        run = 0;
        break;
      case space:
        if (!isLetter(text, at - 1) || !isLetter(text, at + 1)) break;
        run++;
        levels++;
        break;
      case operator:
        run++;
        levels++;
        break;
    }
    if (levels > maxLevels) return true;
  }
  return false;
}

function startsStatement(text: string, at: number): boolean {
  statementStart.lastIndex = at;
  return statementStart.test(text);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
