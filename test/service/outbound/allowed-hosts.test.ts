import { expect, test } from 'vitest';
import { environment } from '../../../src/env.js';

const hosts = (text: string) => environment.parse({ WEBHOOK_ALLOWED_HOSTS: text }).WEBHOOK_ALLOWED_HOSTS;

test.each([
  ['', []],
  ['relay.internal', ['relay.internal']],
  [' Relay.Internal:8443 ,, 10.0.0.5, [::1]:80 ', ['relay.internal:8443', '10.0.0.5', '[::1]:80']],
])('WEBHOOK_ALLOWED_HOSTS %j allows %j', (text, expected) => {
  expect([...hosts(text)]).toEqual(expected);
});

test.each(['https://relay.internal', 'relay.internal/path', '*.internal', '10.0.0.0/8', '::1', 'a:b', 'a b'])(
  '%s is no host',
  (text) => {
    expect(() => hosts(text)).toThrow('takes host or host:port');
  },
);
