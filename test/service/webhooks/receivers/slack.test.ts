import { expect, test } from 'vitest';
import { slack } from '../../../../src/service/webhooks/receivers/slack.js';
import { at } from '../../../support/at.js';
import { hostile, hostileNotification } from '../notifications.js';
import { testAddresses } from './test-addresses.js';

testAddresses('slack', {
  accepted: ['https://hooks.slack.com/services/T/B/x', 'https://hooks.slack-gov.com/services/T/B/x'],
  rejected: [
    'http://hooks.slack.com/services/T/B/x',
    'https://hooks.slack.com.example.com/',
    'https://discord.com/api/webhooks/1/x',
  ],
});

test('control characters are entities, in plain-text blocks within its limits', () => {
  const body = slack.body(hostileNotification(hostile));
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
