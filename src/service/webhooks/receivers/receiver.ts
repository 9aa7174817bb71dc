import type { Notification } from '../../events/domain-event.js';

/** A kind of webhook receiver. A new kind is one file with such a descriptor, and its name in `webhookKind`. */
export interface Receiver {
  /** Hosts that its webhooks have, over HTTPS only; `.example.com` means every name below it. Null: any public host. */
  readonly hosts: readonly string[] | null;
  /** The JSON body that it takes for a notification. */
  readonly body: (notification: Notification) => Readonly<Record<string, unknown>>;
  /** Its documentation. */
  readonly docs: string;
}
