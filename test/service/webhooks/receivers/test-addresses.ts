import { expect, test } from 'vitest';
import type { WebhookKind } from '../../../../src/procedures/webhooks.js';
import { receiverRejection } from '../../../../src/service/webhooks/receiver-address.js';

/** Tests which addresses a kind of receiver has. `rejected` ones are public, and private ones are always rejected. */
export function testAddresses(
  kind: WebhookKind,
  { accepted, rejected }: { readonly accepted: readonly string[]; readonly rejected: readonly string[] },
): void {
  const rejection = (url: string) => receiverRejection(kind, url, new Set());
  test.each(accepted)(`a ${kind} webhook may be at %s`, (url) => expect(rejection(url)).toBeNull());
  test.each(rejected)(`no ${kind} webhook is at %s`, (url) => expect(rejection(url)).toBe('wrong_kind_of_address'));
  test('a private address is forbidden', () => expect(rejection('https://127.0.0.1/')).toBe('forbidden_address'));
}
