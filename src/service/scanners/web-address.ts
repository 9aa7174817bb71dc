/** An address that a browser may open: http or https; null for anything else. */
export function webAddress(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > 2048) return null;
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}
