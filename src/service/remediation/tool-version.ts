/** The first two numbers of a tool's version. */
export type Version = readonly [major: number, minor: number];

/** Of `pnpm@11.21.0`; null where the version is not known. */
export function versionOf(tool: string | null): Version | null {
  const [, major, minor = '0'] = /^[a-z]+@(\d{1,4})(?:\.(\d{1,4}))?(?!\d)/.exec(tool ?? '') ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

export function isBefore([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
