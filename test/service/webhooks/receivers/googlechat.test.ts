import { expect, test } from 'vitest';
import { googlechat } from '../../../../src/service/webhooks/receivers/googlechat.js';
import { at } from '../../../support/at.js';
import { hostile, hostileNotification } from '../notifications.js';
import { testAddresses } from './test-addresses.js';

testAddresses('googlechat', {
  accepted: ['https://chat.googleapis.com/v1/spaces/A/messages?key=x'],
  rejected: ['https://storage.googleapis.com/'],
});

test('the text is fixed words, and the card holds entities', () => {
  const body = googlechat.body(hostileNotification(hostile));
  expect(at(body, 'text')).toBe('5000 RED alerts');
  expect(JSON.stringify(body)).not.toMatch(/[<>]/);
});
