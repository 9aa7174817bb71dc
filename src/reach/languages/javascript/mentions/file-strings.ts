/** A string in a file, with the place of its first character after the quote. */
export interface PlacedString {
  readonly text: string;
  readonly offset: number;
}

/**
 * What stands from a quote to a quote, a backslash or the end of a line, without spaces: in a text that no parser takes,
 * strings cannot be told from what is between them, and may lie in strings (`eval("require(\"a\")")`).
 */
export const quoted = /["'`]([^"'`\\\s]{1,300})(?=["'`\\\r\n]|$)/g;

/** What may be a string of a text that no parser takes. */
export function quotedStrings(text: string): PlacedString[] {
  return Array.from(text.matchAll(quoted), ({ index, 1: string = '' }) => ({ text: string, offset: index + 1 }));
}
