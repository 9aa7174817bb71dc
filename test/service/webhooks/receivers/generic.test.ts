import { expect, test } from 'vitest';
import { generic } from '../../../../src/service/webhooks/receivers/generic.js';
import { hostile, hostileNotification } from '../notifications.js';
import { testAddresses } from './test-addresses.js';

testAddresses('generic', {
  accepted: [
    'https://example.com/x',
    'http://93.184.215.14/',
    'https://[2606:4700::1111]:8443/',
    'https://xn--bcher-kva.example/',
  ],
  rejected: [],
});

test('the facts arrive as they are', () => {
  const notification = hostileNotification(hostile);
  const { type, timestamp, data } = notification;
  expect(generic.body(notification)).toEqual({ type, timestamp, data });
});
