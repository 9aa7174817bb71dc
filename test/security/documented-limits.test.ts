import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { environment } from '../../src/env.js';
import { root } from '../support/build.js';

/** Default by variable, from the last two columns of the table. */
const documented = new Map(
  [...readFileSync(path.join(root, 'SECURITY.md'), 'utf8').matchAll(/^\|[^|]+\| ([\d,]+) \| `([A-Z_]+)` \|$/gm)].map(
    ([, number = '', name = '']) => [name, Number(number.replaceAll(',', ''))] as const,
  ),
);

describe('the limits in SECURITY.md', () => {
  const defaults = Object.entries(environment.parse({})).filter(([name]) => /^(LIMIT|UPLOAD)_/.test(name));

  test('are those that can be set', () => {
    expect([...documented.keys()].toSorted()).toEqual(defaults.map(([name]) => name).toSorted());
  });

  test.each(defaults)('have the default of %s', (name, value) => {
    expect(documented.get(name)).toBe(value);
  });
});
