/** The code of a system or network error, such as `ENOENT` or `ECONNRESET`; null where the error has none. */
export function codeOfError(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
