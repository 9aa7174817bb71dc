import { jsonBytes } from '../../shared/text/cut.js';
import { maxTokens } from '../../shared/text/max-tokens.js';

/**
 * What an answer may have: bytes as JSON, and tokens (o200k) as `maxTokens` estimates them from above. Bytes bound what is common;
 * in a script that the tokenizer hardly knows a byte may be a token.
 */
export interface Room {
  readonly bytes: number;
  readonly tokens: number;
}

/** What is left beside the fields that an answer has in any case. */
export function roomBeside({ bytes, tokens }: Room, taken: object): Room {
  return { bytes: bytes - jsonBytes(taken), tokens: tokens - maxTokens(JSON.stringify(taken)) };
}

export function hasRoom({ bytes, tokens }: Room, value: object): boolean {
  return jsonBytes(value) <= bytes && maxTokens(JSON.stringify(value)) <= tokens;
}
