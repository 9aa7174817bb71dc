import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readCredential, toCredential } from '../../src/gateway/caller.js';

const read = (authorization: string | undefined, serviceKey?: string) =>
  readCredential({ authorization, serviceKey })?.authorization() ?? null;

describe('the credential of a request', () => {
  test.each([
    ['Bearer k1', undefined, 'Bearer k1'],
    ['bearer   k1', undefined, 'Bearer k1'],
    [undefined, 'k2', 'Bearer k2'],
    ['Bearer k1', 'k2', 'Bearer k1'],
    [undefined, undefined, null],
  ])('Authorization %j and X-Service-Key %j give %j', (authorization, serviceKey, expected) => {
    expect(read(authorization, serviceKey)).toBe(expected);
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'k1',
    'Bearer k1 k2',
    'Bearer k\u00fc',
    'Bearer k\u0001',
    `Bearer ${'k'.repeat(4090)}`,
  ])('a malformed Authorization (%#) is no credential, whatever X-Service-Key holds', (authorization) => {
    expect(read(authorization)).toBeNull();
    expect(read(authorization, 'k2')).toBeNull();
  });

  test.each(['', ' ', 'k1, k2', 'k\u00fc', 'k\r\nx: y', 'k'.repeat(4097)])(
    'a malformed X-Service-Key (%#) is no credential',
    (serviceKey) => {
      expect(read(undefined, serviceKey)).toBeNull();
    },
  );

  test('the longest key that passes is 4096 characters', () => {
    expect(read(undefined, 'k'.repeat(4096))).toBe(`Bearer ${'k'.repeat(4096)}`);
  });
});

test('no way of printing a credential shows it', () => {
  const credential = toCredential('s3cret');
  const lines: string[] = [];
  pino({}, { write: (line: string) => lines.push(line) }).info({ credential, nested: { credential } }, `${credential}`);
  const printed = [
    String(credential),
    JSON.stringify({ credential }),
    inspect({ credential }, { depth: 9, showHidden: true }),
    ...lines,
  ];
  expect(printed.join('\n')).not.toContain('s3cret');
  expect(printed[0]).toBe('[credential]');
});
