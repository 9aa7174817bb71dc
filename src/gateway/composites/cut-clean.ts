import { cut } from '../../shared/text/cut.js';
import { cleanString } from '../untrusted-text.js';

/** Bytes of `…`, the shortest text that a cut leaves. */
const minBytes = 3;

/**
 * A cleaned text in at most `bytes` of JSON. A cut can bare what hides text: within a tag it turns a quoted value into
 * markup, and `[name]: some words` becomes a link definition. Then less of the text is kept, until nothing is hidden.
 */
export function cutClean(text: string, bytes: number): string {
  const kept = cut(text, bytes);
  return bytes <= minBytes || cleanString(kept) === kept ? kept : cutClean(text, bytes - 1);
}
