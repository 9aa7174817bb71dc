import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { webhookKind } from '../../../../src/procedures/webhooks.js';
import { receivers } from '../../../../src/service/webhooks/receivers/index.js';
import { hostile, hostileNotification, notifications } from '../notifications.js';

describe.each(notifications.map((notification, place) => ({ place, ...notification })))(
  '$place $type',
  (notification) => {
    test.each(webhookKind.options)('in the format of %s', (kind) => {
      expect(receivers[kind].body(notification)).toMatchSnapshot();
    });
  },
);

test.each(webhookKind.options.filter((kind) => kind !== 'generic'))(
  '%s gets each text as one line without invisible characters, however long it was',
  (kind) => {
    const body = JSON.stringify(receivers[kind].body(hostileNotification(hostile)));
    expect(body).not.toMatch(/[\u202e\u200b]|\\r/);
    const long = JSON.stringify(receivers[kind].body(hostileNotification('😀'.repeat(100_000))));
    expect(long.length).toBeLessThan(20_000);
    expect(long).not.toMatch(/\p{Surrogate}/u);
  },
);

test.each(webhookKind.options)('%s has a test of its own, and the guide links its documentation', (kind) => {
  expect(existsSync(resolve(import.meta.dirname, `${kind}.test.ts`))).toBe(true);
  const guide = readFileSync(resolve(import.meta.dirname, '../../../../docs/scanners-in-ci.md'), 'utf8');
  expect(guide).toContain(`](${receivers[kind].docs})`);
});
