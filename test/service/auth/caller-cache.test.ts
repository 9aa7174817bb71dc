import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/service/auth/caller.js';
import { CallerCache } from '../../../src/service/auth/caller-cache.js';

const caller: Caller = {
  ...{ kind: 'api_key', organisationId: 'org_1', plan: 'Business', id: 'key_1', name: 'CI', scope: 'ReadOnly' },
  ...{ expiresAt: null, projectIds: null },
};
const now = new Date('2026-01-01T00:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

/** A cache and how often it has looked. */
function counting(found: Caller | null = caller, revision: () => number | null = () => 1) {
  const cache = new CallerCache(revision);
  const looked: string[] = [];
  const find = (credential: string, at = now) =>
    cache.find(credential, at, async () => {
      looked.push(credential);
      return found ?? undefined;
    });
  return { find, looked };
}

describe('a caller', () => {
  test('is looked up once a minute', async () => {
    const { find, looked } = counting();
    expect(await find('a')).toBe(caller);
    expect(await find('a', later(59))).toBe(caller);
    expect(looked).toEqual(['a']);
    await find('a', later(60));
    await find('b');
    expect(looked).toEqual(['a', 'a', 'b']);
  });

  test('is looked up again when any caller has changed, also while it was looked up', async () => {
    let revision = 1;
    const { find, looked } = counting(caller, () => revision);
    await find('a');
    revision = 2;
    const finding = find('a');
    revision = 3;
    await finding;
    await find('a');
    await find('a');
    expect(looked).toHaveLength(3);
  });

  test('whose credential expires is not kept beyond that', async () => {
    const { find, looked } = counting({ ...caller, expiresAt: later(10) });
    await find('a');
    await find('a', later(9));
    expect(looked).toHaveLength(1);
    await find('a', later(10));
    expect(looked).toHaveLength(2);
  });

  test('that is not found is not kept', async () => {
    const { find, looked } = counting(null);
    await find('a');
    await find('a');
    expect(looked).toHaveLength(2);
  });

  test('that others may change is looked up each time, and once for those who ask at once', async () => {
    const { find, looked } = counting(caller, () => null);
    expect(await Promise.all([find('a'), find('a'), find('b')])).toEqual([caller, caller, caller]);
    expect(looked).toEqual(['a', 'b']);
    await find('a');
    expect(looked).toEqual(['a', 'b', 'a']);
  });

  test('fails for all who asked at once where the look-up fails, and not for the next', async () => {
    const cache = new CallerCache(() => null);
    const failing = () => cache.find('a', now, () => Promise.reject(new Error('away')));
    const all = await Promise.allSettled([failing(), failing()]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await cache.find('a', now, async () => caller)).toBe(caller);
  });
});
