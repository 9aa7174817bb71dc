/** `CWE-79` out of `79`, `external/cwe/cwe-079` or `CWE-79: Cross-site Scripting`; undefined where there is none. */
export function cweOf(text: string): string | undefined {
  const digits = /^(?:(?:external\/cwe\/)?cwe-?)?0*([1-9]\d{0,4})\b/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : `CWE-${digits}`;
}

/** An address that a reader may follow: http or https; null for anything else. */
export function webAddress(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > 2048) return null;
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}
