import { describe, expect, test } from 'vitest';
import { FairPlaces } from '../../../src/service/http/fair-places.js';

const limits = { places: 4, maxWaiting: 3, maxWaitMs: null, what: 'uploads' };
const busy = { code: 'unavailable', details: { retryAfterSeconds: 5, detail: expect.stringContaining('uploads') } };

/** Enters, and keeps the name of the organisation when it has. */
function entering(places: FairPlaces, begun: string[], signal?: AbortSignal) {
  return async (organisation: string) => {
    const leave = await places.enter(organisation, signal);
    begun.push(organisation);
    return leave;
  };
}

/** After what is settled already. */
const settled = () => new Promise(setImmediate);

describe('places that organisations share', () => {
  test('are never more than half one organisation’s', async () => {
    const begun: string[] = [];
    const places = new FairPlaces(limits);
    const enter = entering(places, begun);
    const first = ['a', 'a', 'a', 'b', 'c', 'd'].map(enter);
    await settled();
    expect(begun).toEqual(['a', 'a', 'b', 'c']);
    (await first[0])?.();
    await settled();
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a']);
    (await first[3])?.();
    await settled();
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'd']);
  });

  test('go to the next organisation in turn, not to the longest line', async () => {
    const begun: string[] = [];
    const places = new FairPlaces({ ...limits, places: 1 });
    const enter = entering(places, begun);
    const all = ['a', 'a', 'a', 'b', 'a', 'b'].map(enter);
    for (const at of [0, 1, 3, 2, 5, 4]) (await all[at])?.();
    expect(begun).toEqual(['a', 'a', 'b', 'a', 'b', 'a']);
  });

  test('are refused to an organisation whose line is full, and to no other', async () => {
    const begun: string[] = [];
    const places = new FairPlaces({ ...limits, places: 1 });
    const enter = entering(places, begun);
    const line = ['a', 'a', 'a', 'a'].map(enter);
    await expect(enter('a')).rejects.toMatchObject(busy);
    const other = enter('b');
    (await line[0])?.();
    (await line[1])?.();
    await other;
    expect(begun).toEqual(['a', 'a', 'b']);
  });

  test('are not waited for longer than said', async () => {
    const places = new FairPlaces({ ...limits, places: 1, maxWaitMs: 1 });
    await places.enter('a');
    await expect(places.enter('b')).rejects.toMatchObject(busy);
  });

  test('are not kept for a client that has disconnected', async () => {
    const begun: string[] = [];
    const places = new FairPlaces({ ...limits, places: 1 });
    const client = new AbortController();
    const leave = await places.enter('a');
    const left = entering(places, begun, client.signal)('b');
    client.abort();
    await expect(left).rejects.toMatchObject(busy);
    leave();
    // A second time does nothing.
    leave();
    const [one, other] = ['c', 'd'].map(entering(places, begun));
    await settled();
    expect(begun).toEqual(['c']);
    (await one)?.();
    await other;
    expect(begun).toEqual(['c', 'd']);
  });
});
