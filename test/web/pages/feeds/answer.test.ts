import { expect, test } from 'vitest';
import { feedsAnswer } from '../../../../src/web/pages/feeds/answer.js';

const at = new Date('2026-11-22T10:00:00Z');
const feed = {
  ...{ name: 'osv:npm', kind: 'osv' as const, version: null, as_of: at, loaded_at: at, records: 1_200, unread: 0 },
  ...{ complete: true, stale: false, covers: ['npm' as const] },
};
const npm = { ecosystem: 'npm' as const, as_of: at, stale: false, tracked: true };
const maven = { ecosystem: 'Maven' as const, as_of: null, stale: true, tracked: true };

test('no feed means no answer that can be relied on', () => {
  expect(feedsAnswer({ feeds: [], ecosystems: [], stale: true })).toMatch(/^No feed is loaded/);
});

test('an ecosystem that is tracked and not covered is named', () => {
  expect(feedsAnswer({ feeds: [feed], ecosystems: [npm, maven], stale: true })).toBe(
    '1 feed with 1,200 records is loaded. You track packages of Maven, whose advisories are not completely here: for these no answer says “not affected”.',
  );
});

test('one that nobody tracks is not a gap', () => {
  expect(feedsAnswer({ feeds: [feed], ecosystems: [npm, { ...maven, tracked: false }], stale: false })).toMatch(
    /Each ecosystem that you track is covered, and nothing is older than 7 days\.$/,
  );
});

test('old advisories are named', () => {
  expect(feedsAnswer({ feeds: [feed], ecosystems: [{ ...npm, stale: true }], stale: true })).toMatch(
    /The advisories for npm are older than 7 days\.$/,
  );
});
