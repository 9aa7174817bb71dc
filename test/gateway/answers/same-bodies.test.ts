import { describe, expect, test } from 'vitest';
import { madeOnce } from '../../../src/gateway/answers/made-once.js';
import { SameBodies } from '../../../src/gateway/answers/same-bodies.js';
import { createReadWire } from '../../../src/gateway/answers/wire-form.js';
import { procedures } from '../../../src/procedures/index.js';

describe('a body', () => {
  const text = JSON.stringify({ items: [{ id: 'a' }] });

  test('that comes again is one object from the second time on, which nobody can change', () => {
    const bodies = new SameBodies();
    const [first, second, third] = [bodies.read(text), bodies.read(text), bodies.read(text)];
    expect(first).toEqual(JSON.parse(text));
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    expect(Object.isFrozen(first)).toBe(false);
    expect(() => Object.assign(Object(third).items[0], { id: 'b' })).toThrow(TypeError);
  });

  test('that differs in one character is another', () => {
    const bodies = new SameBodies();
    const other = text.replace('"a"', '"b"');
    for (let time = 0; time < 3; time += 1) {
      expect(bodies.read(text)).toEqual({ items: [{ id: 'a' }] });
      expect(bodies.read(other)).toEqual({ items: [{ id: 'b' }] });
    }
  });

  test.each(['', 'no', '{', '"text"', '12', 'null', '[1]'])('of %j is as it is parsed', (given) => {
    const bodies = new SameBodies();
    const parsed = (() => {
      try {
        return JSON.parse(given);
      } catch {
        return undefined;
      }
    })();
    for (let time = 0; time < 3; time += 1) expect(bodies.read(given)).toEqual(parsed);
  });

  test('is forgotten after many others, and one that is very large is not kept', () => {
    const bodies = new SameBodies();
    const large = (mark: string, length: number) => JSON.stringify({ text: mark.repeat(length) });
    const twice = (given: string) => [bodies.read(given), bodies.read(given)][1];
    const kept = twice(text);
    for (let at = 0; at < 15; at += 1) twice(large(String.fromCharCode(97 + at), 300_000));
    expect(bodies.read(text)).not.toBe(kept);
    const huge = large('x', 400_000);
    expect(twice(huge)).not.toBe(bodies.read(huge));
  });
});

describe('what is made of an answer', () => {
  test('is made once where the answer is frozen', () => {
    const once = madeOnce<object, object>();
    const [frozen, open] = [Object.freeze({}), {}];
    expect(once(frozen, () => ({}))).toBe(once(frozen, () => ({})));
    expect(once(open, () => ({}))).not.toBe(once(open, () => ({})));
  });

  test('is made for each procedure, though both have the same body', () => {
    const readWire = createReadWire(procedures);
    const body = Object.freeze({ items: Object.freeze([]), page: 1, page_size: 25, total: 0, has_more: false });
    const fits = readWire(procedures.webhooks.list, body);
    const other = readWire(procedures.organisation.get, body);
    expect(other.success).toBe(false);
    expect(readWire(procedures.webhooks.list, body)).toBe(fits);
  });
});
