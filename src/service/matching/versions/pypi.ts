import { compareText } from '../../../shared/text/compare-text.js';
import {
  compareNumberLists,
  compareNumbers,
  maxVersionLength,
  type Ordering,
  toNumber,
  type VersionNumber,
} from './ordering.js';

/** A version of PEP 440. Null where the segment is absent. */
export interface Pep440 {
  readonly epoch: VersionNumber;
  readonly release: readonly VersionNumber[];
  readonly pre: readonly [phase: 'a' | 'b' | 'rc', number: VersionNumber] | null;
  readonly post: VersionNumber | null;
  readonly dev: VersionNumber | null;
  readonly local: readonly (VersionNumber | string)[];
}

/** Appendix B of PEP 440 ("Parsing version strings with regular expressions"), on lower-cased, trimmed text. */
const shape = new RegExp(
  [
    '^v?(?:(?<epoch>\\d+)!)?(?<release>\\d+(?:\\.\\d+)*)',
    '(?:[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<preNumber>\\d*))?',
    '(?:-(?<implicitPost>\\d+)|[-_.]?(?<postWord>post|rev|r)[-_.]?(?<postNumber>\\d*))?',
    '(?:[-_.]?(?<devWord>dev)[-_.]?(?<devNumber>\\d*))?',
    '(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$',
  ].join(''),
);

function toPhase(word: string): 'a' | 'b' | 'rc' {
  if (word.startsWith('a')) return 'a';
  return word.startsWith('b') ? 'b' : 'rc';
}

/** An omitted number of a pre, post or dev segment is 0. */
function implicitZero(digits: string | undefined): VersionNumber {
  return digits ? toNumber(digits) : 0;
}

function parse(text: string): Pep440 | null {
  if (text.length > maxVersionLength) return null;
  const parts = shape.exec(text.trim().toLowerCase())?.groups;
  if (!parts) return null;
  const { epoch, release = '', phase, implicitPost, postWord, devWord, local } = parts;
  return {
    epoch: implicitZero(epoch),
    release: release.split('.').map(toNumber),
    pre: phase === undefined ? null : [toPhase(phase), implicitZero(parts['preNumber'])],
    post:
      postWord === undefined && implicitPost === undefined ? null : implicitZero(implicitPost ?? parts['postNumber']),
    dev: devWord === undefined ? null : implicitZero(parts['devNumber']),
    local: local?.split(/[-_.]/).map((part) => (/^\d+$/.test(part) ? toNumber(part) : part)) ?? [],
  };
}

/** 1.0.dev1 < 1.0a1 < 1.0b1 < 1.0rc1 < 1.0: a development release of 1.0 itself comes before every pre-release. */
function phaseRank({ pre, post, dev }: Pep440): number {
  if (pre) return pre[0] === 'a' ? 1 : pre[0] === 'b' ? 2 : 3;
  return dev !== null && post === null ? 0 : 4;
}

/** Numbers are above words, words sort alphabetically, and a longer label is above its prefix. No label is lowest. */
function compareLocals(a: Pep440['local'], b: Pep440['local']): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a[i] ?? 0;
    const right = b[i] ?? 0;
    if (typeof left === 'string' || typeof right === 'string') {
      if (typeof left !== 'string') return 1;
      if (typeof right !== 'string') return -1;
      const order = compareText(left, right);
      if (order !== 0) return order;
    } else {
      const order = compareNumbers(left, right);
      if (order !== 0) return order;
    }
  }
  return compareNumbers(a.length, b.length);
}

/**
 * PyPI: PEP 440, complete. Source: https://peps.python.org/pep-0440/#summary-of-permitted-suffixes-and-relative-ordering,
 * with the reference implementation's reading of local versions (https://packaging.pypa.io/en/stable/version.html).
 */
export const pypi: Ordering<Pep440> = {
  parse,
  compare(a, b) {
    return (
      compareNumbers(a.epoch, b.epoch) ||
      compareNumberLists(a.release, b.release) ||
      compareNumbers(phaseRank(a), phaseRank(b)) ||
      compareNumbers(a.pre?.[1] ?? 0, b.pre?.[1] ?? 0) ||
      // A version without post segment is below post0. A version without dev segment is above its development releases.
      compareNumbers(a.post ?? -1, b.post ?? -1) ||
      compareNumbers(a.dev ?? Number.POSITIVE_INFINITY, b.dev ?? Number.POSITIVE_INFINITY) ||
      compareLocals(a.local, b.local)
    );
  },
  isPrerelease: (version) => version.pre !== null || version.dev !== null,
};

/** The version without its local label, as a specifier without label sees it (PEP 440, "Version matching"). */
export function withoutLocalLabel(text: string): string {
  const plus = text.indexOf('+');
  return plus < 0 ? text : text.slice(0, plus);
}
