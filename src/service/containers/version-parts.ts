/** A name and its version, as of `debian 10.13`. */
export interface Named {
  readonly name: string;
  /** `[10, 13]`; empty where it is not known. */
  readonly version: readonly number[];
}

/** `3.7.10-slim` is [3, 7, 10]; empty for `latest` and its like. */
export function versionOf(text: string): number[] {
  const digits = /^v?(\d{1,9}(?:\.\d{1,9}){0,5})/.exec(text)?.[1];
  return digits === undefined ? [] : digits.split('.').map(Number);
}

/** Compares the parts that both have: `3` means the newest of 3, and so is not older than 3.7. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (const [place, part] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 0;
    if (part !== other) return part - other;
  }
  return 0;
}

/** Name and version of `debian 10.13`; a name alone has no version. */
export function namedOf(text: string): Named {
  const [, name = text, version = ''] = /^(.*) (\S*\d\S*)$/.exec(text) ?? [];
  return { name, version: versionOf(version) };
}

/** Parts of a version that make a release of its own: Alpine's 3.19 and Ubuntu's 22.04, but Debian's 12. */
export function releaseOf({ name, version }: Named): readonly number[] {
  return version.slice(0, name === 'alpine' || name === 'ubuntu' ? 2 : 1);
}
