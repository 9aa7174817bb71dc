import { expect, test } from 'vitest';
import { calendarDate } from '../../../../src/web/components/format/format.js';
import { safeVersionText } from '../../../../src/web/pages/search/safe-version-text.js';

const advisories = new Date('2026-03-04T05:06:07Z');
const day = calendarDate('2026-03-04');

function coverageWith(stale: boolean, as_of: Date | null) {
  return { feeds: [{ ecosystem: 'npm' as const, as_of, stale }] };
}

test('a safe version is one by the advisories of a day', () => {
  const published = {
    ...{ safe_version: '2.0.0', safe_version_status: 'published' as const },
    ...{ as_of: { advisories }, coverage: coverageWith(false, advisories) },
  };
  expect(safeVersionText(published)).toBe(`Nearest safe version: 2.0.0, by the advisories of ${day}.`);
  expect(safeVersionText({ ...published, safe_version_status: 'unverified' })).toBe(
    `Nearest safe version: 2.0.0, if it was published, by the advisories of ${day}.`,
  );
});

test.each([
  [false, advisories, 'No version is known to be safe.'],
  [true, advisories, `No version is called safe: the advisories are of ${day}.`],
  [true, null, 'No version is called safe without all advisories.'],
])('where there is none, its reason is said: stale %s, of %s', (stale, as_of, text) => {
  const none = { safe_version: null, safe_version_status: null };
  const coverage = coverageWith(stale, as_of);
  expect(safeVersionText({ ...none, as_of: { advisories: as_of }, coverage })).toBe(text);
});
