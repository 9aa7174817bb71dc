export type Jump = 'major' | 'minor' | 'patch' | 'unknown';

/** How far a version is from another by their first numbers. Below 1.0 the second number is the one that breaks (SemVer 4). */
export function jumpOf(from: string, to: string): Jump {
  const begin = numbersOf(from);
  const end = numbersOf(to);
  if (begin === null || end === null) return 'unknown';
  if (begin.major !== end.major) return 'major';
  if (begin.minor === end.minor) return 'patch';
  return begin.major === 0 ? 'major' : 'minor';
}

/** Whether a caret range of the one takes the other. Below 0.1 every number breaks. */
export function isCompatible(from: string, to: string): boolean {
  const jump = jumpOf(from, to);
  const begin = numbersOf(from);
  const breaks = begin !== null && begin.major === 0 && begin.minor === 0 && from !== to;
  return (jump === 'patch' && !breaks) || jump === 'minor';
}

function numbersOf(version: string): { readonly major: number; readonly minor: number } | null {
  const [, major, minor] = /^v?(\d{1,9})\.(\d{1,9})(?!\d)/.exec(version) ?? [];
  return major === undefined || minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}
