import type { FileGap } from '../language.js';
import type { Lines } from '../lines.js';

const includes =
  /(?<![\w!])(include|include_proto|include_flatbuffers|include_generated|include_file_descriptor_set)\s*!\s*[([{]/g;
const literal = /\s*"([^"\\\n]+\.\w+)"\s*,?\s*[)\]}]/y;

/** Code that a file takes in: files of the tree by their relative paths, and what only the build writes. */
export function includedCode(
  text: string,
  code: string,
  lines: Lines,
): { readonly paths: { readonly path: string; readonly offset: number }[]; readonly gaps: FileGap[] } {
  const paths: { path: string; offset: number }[] = [];
  const gaps: FileGap[] = [];
  for (const { 0: whole, 1: macro = '', index } of code.matchAll(includes)) {
    if (macro === 'include_file_descriptor_set') continue;
    literal.lastIndex = index + whole.length;
    const path = macro === 'include' ? literal.exec(text)?.[1] : undefined;
    if (path !== undefined) paths.push({ path, offset: index });
    else {
      gaps.push({
        kind: 'unresolved_import',
        line: lines.placeOf(index).line,
        detail: `${macro}! of code that the build generates`,
        hides: 'any',
      });
    }
  }
  return { paths, gaps };
}
