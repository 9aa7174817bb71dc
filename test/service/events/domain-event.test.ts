import { expect, test } from 'vitest';
import { webhookEvent } from '../../../src/procedures/webhooks.js';
import { notification } from '../../../src/service/events/domain-event.js';
import { notifications } from '../webhooks/notifications.js';

test.each(notifications)('a notification of $type is read back from the outbox as it was', (written) => {
  expect(notification.parse(JSON.parse(JSON.stringify(written)))).toEqual(written);
});

test('every event that a webhook can subscribe to is one of these, and so is a test', () => {
  expect(new Set(notifications.map(({ type }) => type))).toEqual(new Set([...webhookEvent.options, 'test']));
});

test('what is no notification is rejected', () => {
  const [written] = notifications;
  for (const stored of [{}, null, { ...written, type: 'alert.yellow' }, { ...written, data: { total: 1 } }]) {
    expect(notification.safeParse(stored).success).toBe(false);
  }
});
