import { expect, test } from 'vitest';
import { discord } from '../../../../src/service/webhooks/receivers/discord.js';
import { textAt } from '../../../support/at.js';
import { hostile, hostileNotification } from '../notifications.js';
import { testAddresses } from './test-addresses.js';

testAddresses('discord', {
  accepted: ['https://discord.com/api/webhooks/1/x', 'https://discordapp.com/api/webhooks/1/x'],
  rejected: ['https://notdiscord.com/'],
});

test('every sign of markup is escaped, nobody is mentioned, and its limits are kept', () => {
  const body = discord.body(hostileNotification(hostile));
  expect(body).toMatchObject({ allowed_mentions: { parse: [] }, content: '5000 RED alerts' });
  const description = textAt(body, 'embeds.0.description');
  expect(description.replace(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[*_~`|<>[\]()@:]/);
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(textAt(body, 'embeds.0.title').length).toBeLessThanOrEqual(256);
});
