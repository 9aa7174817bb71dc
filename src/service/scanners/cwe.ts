/** `CWE-79` out of `79`, `external/cwe/cwe-079` or `CWE-79: Cross-site Scripting`; undefined where the text names none. */
export function cweOf(text: string): string | undefined {
  const digits = /^(?:(?:external\/cwe\/)?cwe-?)?0*([1-9]\d{0,4})\b/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : `CWE-${digits}`;
}
