import { compareText } from '../../../shared/text/compare-text.js';
import { compareNumbers, maxVersionLength, type Ordering, toNumber, type VersionNumber } from './ordering.js';

/** Segments in canonical form: numbers and words. Zeros at the end, and before the first word, are removed. */
export type GemVersion = readonly (VersionNumber | string)[];

/** `Gem::Version::VERSION_PATTERN`. */
const shape = /^\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

const segment = /\d+|[A-Za-z]+/g;

function withoutTrailingZeros(segments: GemVersion): GemVersion {
  const last = segments.findLastIndex((each) => typeof each === 'string' || compareNumbers(each, 0) !== 0);
  return segments.slice(0, last + 1);
}

function parse(text: string): GemVersion | null {
  const trimmed = text.trim();
  if (trimmed.length > maxVersionLength || !shape.test(trimmed)) return null;
  const words = trimmed.replaceAll('-', '.pre.').match(segment) ?? [];
  const segments = words.map((word) => (/^\d/.test(word) ? toNumber(word) : word));
  const firstWord = segments.findIndex((each) => typeof each === 'string');
  if (firstWord < 0) return withoutTrailingZeros(segments);
  return [...withoutTrailingZeros(segments.slice(0, firstWord)), ...withoutTrailingZeros(segments.slice(firstWord))];
}

/**
 * RubyGems: `Gem::Version#<=>`. Compares segment by segment; a word is below any number, and a missing segment is 0 (so
 * 1.a < 1).
 * Source: https://docs.ruby-lang.org/en/master/Gem/Version.html.
 */
export const rubygems: Ordering<GemVersion> = {
  parse,
  compare(a, b) {
    const length = Math.max(a.length, b.length);
    for (let i = 0; i < length; i++) {
      const left = a[i] ?? 0;
      const right = b[i] ?? 0;
      if (typeof left === 'string' && typeof right === 'string') {
        const order = compareText(left, right);
        if (order !== 0) return order;
      } else if (typeof left === 'string') return -1;
      else if (typeof right === 'string') return 1;
      else {
        const order = compareNumbers(left, right);
        if (order !== 0) return order;
      }
    }
    return 0;
  },
  isPrerelease: (version) => version.some((each) => typeof each === 'string'),
};
