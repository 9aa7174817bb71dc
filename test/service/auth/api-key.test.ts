import { describe, expect, test } from 'vitest';
import { apiKeyHint, isWellFormedApiKey, makeApiKey } from '../../../src/service/auth/api-key.js';

describe('API keys', () => {
  test('are the prefix and 64 hex digits, and differ', () => {
    const key = makeApiKey();
    expect(key).toMatch(/^postern_live_[0-9a-f]{64}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(makeApiKey()).not.toBe(key);
  });

  test('end in the CRC-32 of the digits before, so that a wrong digit anywhere shows', () => {
    const key = makeApiKey();
    for (let position = 'postern_live_'.length; position < key.length; position += 1) {
      const wrong = key[position] === '0' ? '1' : '0';
      expect(isWellFormedApiKey(key.slice(0, position) + wrong + key.slice(position + 1))).toBe(false);
    }
  });

  test('match the checksum that other tools compute', () => {
    // Python: '%08x' % zlib.crc32(b'0' * 56)
    expect(isWellFormedApiKey(`postern_live_${'0'.repeat(56)}cb612bfd`)).toBe(true);
  });

  test.each([
    ['', 'nothing'],
    ['postern_live_', 'the prefix alone'],
    [`${makeApiKey()}0`, 'a digit too many'],
    [makeApiKey().toUpperCase(), 'capitals'],
    [makeApiKey().replace('live', 'test'), 'another prefix'],
    [` ${makeApiKey()}`, 'a space before'],
    [`${makeApiKey()}\n`, 'a line end after'],
  ])('are not well-formed: %j (%s)', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('are shown as prefix and last four', () => {
    expect(apiKeyHint('abcd')).toBe('postern_live_…abcd');
  });
});
