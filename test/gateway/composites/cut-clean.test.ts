import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutClean } from '../../../src/gateway/composites/worst-of.js';
import { cleanString } from '../../../src/gateway/untrusted/untrusted-text.js';
import { cut, jsonBytes } from '../../../src/shared/text/cut.js';

describe('a cut that would bare hidden text', () => {
  test.each([
    ['a tag in a quoted value', 'See <a href="<div hidden>x">this</a>', 32],
    ['words that become a link definition', '[CVE-2021-1]: Something else happens', 22],
    ['a joiner that joins nothing any more', 'می\u200cخواهم', 10],
  ])('%s: keeps less', (_name, text, bytes) => {
    expect(cleanString(text)).toBe(text);
    const plain = cut(text, bytes);
    expect(cleanString(plain)).not.toBe(plain);
    const kept = cutClean(text, bytes);
    expect(cleanString(kept)).toBe(kept);
    expect(kept.length).toBeGreaterThan(1);
    expect(text.startsWith(kept.slice(0, -1))).toBe(true);
  });
});

test('another cut is as it would be without', () => {
  expect(cutClean('Prototype pollution in lodash', 14)).toBe('Prototype p…');
  expect(cutClean('short', 14)).toBe('short');
});

test('no text, however put together and cut, hides anything', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom(
      ...[
        '<a href="',
        '<div hidden>',
        '<b style="display:none">',
        '</div>',
        '">',
        "'",
        '<!--',
        '-->',
        '<script>',
        '<?',
      ],
      ...['![', '](', ')', ' "', '[x]: ', '[', ']', '\n', ' ', '<x ', '<', '>', '\u200c', 'می', '&#58;', 'data:'],
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 3, max: 80 }), (pieces, bytes) => {
      const kept = cutClean(cleanString(pieces.join('')), bytes);
      expect(cleanString(kept)).toBe(kept);
      expect(jsonBytes(kept)).toBeLessThanOrEqual(bytes + 2);
    }),
    { numRuns: 2_000 },
  );
});
