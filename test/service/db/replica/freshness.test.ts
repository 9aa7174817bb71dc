import { expect, test } from 'vitest';
import { Freshness } from '../../../../src/service/db/replica/freshness.js';
import { position } from '../../../../src/service/db/replica/position.js';

test('a position is a number of bytes, in order over the border of its two parts', () => {
  expect(position.parse('0/10')).toBe(16n);
  expect(position.parse('16/B374D848')).toBe(0x16_b3_74_d8_48n);
  expect(position.parse('1/0')).toBeGreaterThan(position.parse('0/FFFFFFFF'));
  for (const text of ['', '16', '16/', '/1', 'x/1', '123456789/0'])
    expect(position.safeParse(text).success).toBe(false);
});

test('a replica is as late as the newest place of the primary that it has reached is old', () => {
  const freshness = new Freshness(2_000);
  expect(freshness.lagAt(0)).toBe(Number.POSITIVE_INFINITY);
  freshness.primaryWasAt(100n, 1_000);
  freshness.primaryWasAt(200n, 1_250);
  freshness.replicaIsAt(100n);
  expect(freshness.lagAt(1_300)).toBe(300);
  freshness.replicaIsAt(200n);
  expect(freshness.lagAt(1_300)).toBe(50);
});

test('a replica of an idle primary is not late, and one that is cut off is', () => {
  const freshness = new Freshness(2_000);
  for (let atMs = 0; atMs <= 60_000; atMs += 250) {
    freshness.primaryWasAt(100n, atMs);
    freshness.replicaIsAt(100n);
  }
  expect(freshness.lagAt(60_010)).toBe(10);
  for (let atMs = 60_250; atMs <= 70_000; atMs += 250) {
    freshness.primaryWasAt(BigInt(atMs), atMs);
    freshness.replicaIsAt(100n);
  }
  expect(freshness.lagAt(70_000)).toBe(10_000);
  freshness.replicaIsAt(70_000n);
  expect(freshness.lagAt(70_000)).toBe(0);
});

test('it shows what it has replayed, and nothing when it has gone', () => {
  const freshness = new Freshness(2_000);
  expect(freshness.shows(0n)).toBe(false);
  freshness.primaryWasAt(100n, 0);
  freshness.replicaIsAt(90n);
  expect([freshness.shows(90n), freshness.shows(91n)]).toEqual([true, false]);
  freshness.forget();
  expect([freshness.shows(90n), freshness.lagAt(1)]).toEqual([false, Number.POSITIVE_INFINITY]);
});
