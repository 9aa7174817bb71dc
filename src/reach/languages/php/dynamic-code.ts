import type { FileGap } from '../language.js';
import type { PlaceOf } from '../positions.js';

const computedNew = /(?<![\w$>:\\])new\s+(\$\w+(?:(?:->|::\$?)\w+)*|\(|static::\$\w+)/g;
/** Values that name a class of the file, or come from a setting, which is searched too. */
const knownValue = /^\s*=\s*(?:\\?[\w\\]+::class\b|['"]|(?:self|static|parent|[A-Z]\w*)::|get_class\s*\(|config\s*\()/;
/** Gaps of one file that are listed; one already hides any package. */
const maxGaps = 20;
/** Variables of one file whose assignments are sought; hostile code has more. */
const maxVariables = 50;

/** Places that make objects of classes which only a run can say. */
export function computedClasses(code: string, text: string, placeOf: PlaceOf): FileGap[] {
  const gaps: FileGap[] = [];
  const isKnown = new Map<string, boolean>();
  for (const { 1: what = '', index } of code.matchAll(computedNew)) {
    const known = isKnown.get(what) ?? (isKnown.size < maxVariables && isAlwaysKnown(what, code, text));
    isKnown.set(what, known);
    if (known) continue;
    gaps.push({ kind: 'unknown_dynamic', line: placeOf(index).line, detail: `new ${what}`, hides: 'any' });
    if (gaps.length >= maxGaps) break;
  }
  return gaps;
}

/** Whether every assignment of the file to a variable names a class of the file, and there is one. */
function isAlwaysKnown(variable: string, code: string, text: string): boolean {
  if (!/^\$\w+$/.test(variable) || variable === '$this') return variable === '$this';
  const assignment = new RegExp(`\\${variable}(?!\\w)(?=\\s{0,20}=[^=>])`, 'g');
  let assignments = 0;
  for (const { index } of code.matchAll(assignment)) {
    const from = index + variable.length;
    if (!knownValue.test(text.slice(from, from + 300))) return false;
    assignments += 1;
  }
  return assignments > 0;
}
