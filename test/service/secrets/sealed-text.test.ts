import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSealed, seal, UnopenableError, unseal } from '../../../src/service/secrets/sealed-text.js';

const key = { id: 'k1', key: randomBytes(32) };
const place = 'webhooks.url whk_1';

test('a sealed text names its key, differs each time and opens to what it was', () => {
  const text = 'https://hooks.example.com/größer?x=\u0000y';
  const [first, second] = [seal(key, text, place), seal(key, text, place)];
  expect(first).toMatch(/^sealed:k1:[\w-]+$/);
  expect(first).not.toBe(second);
  expect([isSealed(first), isSealed(text)]).toEqual([true, false]);
  expect([unseal(key, first, place), unseal(key, second, place)]).toEqual([text, text]);
  expect(unseal(key, seal(key, '', place), place)).toBe('');
});

test('it opens nowhere else, under no other key, and not after a change', () => {
  const sealed = seal(key, 'secret', place);
  const bytes = Buffer.from(sealed.slice('sealed:k1:'.length), 'base64url');
  const broken = Array.from(bytes, (_, at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return `sealed:k1:${copy.toString('base64url')}`;
  });
  for (const text of [...broken, 'sealed:k1:', 'sealed:k1:AAAA', sealed.slice(0, -4), 'plain']) {
    expect(() => unseal(key, text, place), text).toThrow(UnopenableError);
  }
  expect(() => unseal(key, sealed, 'webhooks.url whk_2')).toThrow(UnopenableError);
  expect(() => unseal({ id: 'k2', key: key.key }, sealed, place)).toThrow(UnopenableError);
  expect(() => unseal({ id: 'k1', key: randomBytes(32) }, sealed, place)).toThrow(UnopenableError);
});
