import { describe, expect, test } from 'vitest';
import { webhookKind } from '../../../src/procedures/webhooks.js';
import { bodyFor } from '../../../src/service/webhooks/receiver-formats.js';
import { at, textAt } from '../../support/service.js';
import { hostileNotification, notifications } from './notifications.js';

const hostile =
  '&amp; <!channel> <@U1> <users/all> @everyone </b><a href="https://evil.example">x</a> [x](https://evil.example) *b* _i_ `c` a\r\nb\u202ec\u200bd';

describe.each(notifications.map((notification, place) => ({ place, ...notification })))(
  '$place $type',
  (notification) => {
    test.each(webhookKind.options)('in the format of %s', (kind) => {
      expect(bodyFor(kind, notification)).toMatchSnapshot();
    });
  },
);

test('Slack gets entities for its control characters, in plain-text blocks within its limits', () => {
  const body = bodyFor('slack', hostileNotification(hostile));
  const texts = JSON.stringify(body);
  expect(texts).not.toMatch(/[<>]/);
  expect(texts).toContain('&lt;!channel&gt;');
  expect(texts).toContain('&amp;amp;');
  expect(texts).not.toContain('"type":"mrkdwn"');
  expect(body).toMatchObject({ mrkdwn: false, link_names: false });
  const blocks = at(body, 'blocks');
  if (!Array.isArray(blocks)) throw new Error('no blocks');
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) expect(JSON.stringify(block).length).toBeLessThan(3_000);
});

test('Google Chat gets our own words as text, and entities in its card', () => {
  const body = bodyFor('googlechat', hostileNotification(hostile));
  expect(at(body, 'text')).toBe('5000 RED alerts');
  expect(JSON.stringify(body)).not.toMatch(/[<>]/);
});

test('Teams gets texts from outside as text runs, which know no Markdown', () => {
  const body = bodyFor('teams', hostileNotification(hostile));
  expect(textAt(body, 'attachments.0.contentType')).toBe('application/vnd.microsoft.card.adaptive');
  const blocks = at(body, 'attachments.0.content.body');
  if (!Array.isArray(blocks)) throw new Error('no body');
  const withMarkdown = blocks.filter((block) => at(block, 'type') === 'TextBlock');
  expect(withMarkdown.map((block) => at(block, 'text'))).toEqual(['5000 RED alerts']);
  expect(JSON.stringify(body).length).toBeLessThan(28_000);
});

test('Discord gets every sign of markup escaped, may mention nobody, and its limits are kept', () => {
  const body = bodyFor('discord', hostileNotification(hostile));
  expect(body).toMatchObject({ allowed_mentions: { parse: [] }, content: '5000 RED alerts' });
  const description = textAt(body, 'embeds.0.description');
  expect(description.replace(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[*_~`|<>[\]()@:]/);
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(textAt(body, 'embeds.0.title').length).toBeLessThanOrEqual(256);
});

test('a generic receiver gets the facts as they are', () => {
  const notification = hostileNotification(hostile);
  const { type, timestamp, data } = notification;
  expect(bodyFor('generic', notification)).toEqual({ type, timestamp, data });
});

test.each(webhookKind.options.filter((kind) => kind !== 'generic'))(
  '%s gets each text as one line without what is not seen, however long it was',
  (kind) => {
    const body = JSON.stringify(bodyFor(kind, hostileNotification(hostile)));
    expect(body).not.toMatch(/[\u202e\u200b]|\\r/);
    const long = JSON.stringify(bodyFor(kind, hostileNotification('😀'.repeat(100_000))));
    expect(long.length).toBeLessThan(20_000);
    expect(long).not.toMatch(/\p{Surrogate}/u);
  },
);
