import { isWebAddress } from '../../shared/text/grammars.js';

/** An address that a browser may open: http or https; null for anything else. */
export function webAddress(text: string | null | undefined): string | null {
  return text !== null && text !== undefined && isWebAddress(text) ? text : null;
}
