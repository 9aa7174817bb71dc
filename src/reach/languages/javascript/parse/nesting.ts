/**
 * The parser descends by recursion on the native stack, and a stack that overflows there ends the process. On an 8 MB
 * stack it reads 3,900 levels of the costliest kind (template literals, type arguments); code has some dozens.
 */
const maxLevels = 2000;

/** A shorter text cannot nest deeper than the parser reads. */
const alwaysSafe = 3500;

const statementStart = /(?:const|let|var|import|export|return|class|function|throw|type|interface|await)\b/y;

/**
 * Whether a text may nest too deeply for the parser: by brackets, or by operators and keywords that follow each other
 * without an end of statement (`!!!!a`, `a = a = a`, `new new a`, `if (a) if (a)`). It counts without knowing strings and
 * comments, so that a strange but harmless text can be refused, and a harmful one not missed.
 */
export function nestsTooDeeply(text: string): boolean {
  if (text.length < alwaysSafe) return false;
  const runs: number[] = [];
  let run = 0;
  let total = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 40: // (
      case 91: // [
      case 123: // {
        runs.push(run);
        run = 0;
        total++;
        break;
      case 41: // )
      case 93: // ]
      case 125: // }
        total -= run;
        if (runs.length > 0) total--;
        run = runs.pop() ?? 0;
        run++;
        total++;
        break;
      case 44: // ,
      case 59: // ;
        total -= run;
        run = 0;
        break;
      case 10: // a line's end, where a statement begins after it
        statementStart.lastIndex = at + 1;
        if (statementStart.test(text)) {
          total -= run;
          run = 0;
        } else if (isWord(before)) {
          run++;
          total++;
        }
        break;
      case 32:
        if (isWord(before) && isWord(text.charCodeAt(at + 1))) {
          run++;
          total++;
        }
        break;
      case 33: // !
      case 43: // +
      case 45: // -
      case 58: // :
      case 60: // <
      case 61: // =
      case 63: // ?
      case 126: // ~
        run++;
        total++;
        break;
    }
    if (total > maxLevels) return true;
    before = code;
  }
  return false;
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
