import type { FileGap } from '../language.js';
import { matchAt } from '../mask.js';
import type { PlaceOf } from '../positions.js';

const includes =
  /(?<![\w!])(include|include_proto|include_flatbuffers|include_generated|include_file_descriptor_set)\s*!\s*[([{]/g;
const literal = /\s*"([^"\\\n]+\.\w+)"\s*,?\s*[)\]}]/y;

/** Code that a file takes in: files of the tree by their relative paths, and what only the build writes. */
export function includedCode(
  text: string,
  code: string,
  placeOf: PlaceOf,
): { readonly paths: { readonly path: string; readonly offset: number }[]; readonly gaps: FileGap[] } {
  const paths: { path: string; offset: number }[] = [];
  const gaps: FileGap[] = [];
  for (const { 0: whole, 1: macro = '', index } of code.matchAll(includes)) {
    if (macro === 'include_file_descriptor_set') continue;
    const path = macro === 'include' ? matchAt(literal, text, index + whole.length)?.[1] : undefined;
    if (path !== undefined) paths.push({ path, offset: index });
    else {
      gaps.push({
        kind: 'unresolved_import',
        line: placeOf(index).line,
        detail: `${macro}! of code that the build generates`,
        hides: 'any',
      });
    }
  }
  return { paths, gaps };
}
