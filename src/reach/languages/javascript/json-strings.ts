import { jsoncToJson } from '../../../shared/json/jsonc.js';
import type { PlacedString } from './mentions/file-strings.js';

/** A string of a JSON text: what it stands under at the top, and whether it is a value or the name of a field. */
export interface JsonString extends PlacedString {
  readonly section: string;
  /** The field that holds it, or whose name it is. */
  readonly field: string;
}

const token = /"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}[\]]/g;

/** All strings of a JSON text with their places; of a broken one, those that can be told. */
export function jsonStrings(text: string): readonly JsonString[] {
  const found: JsonString[] = [];
  let depth = 0;
  let section = '';
  let field = '';
  for (const match of jsoncToJson(text).matchAll(token)) {
    const [whole, string, colon] = match;
    if (string === undefined) depth += whole === '{' || whole === '[' ? 1 : -1;
    else {
      if (colon !== undefined) field = string;
      if (colon !== undefined && depth === 1) section = string;
      found.push({ text: string, offset: match.index + 1, section, field });
    }
  }
  return found;
}
