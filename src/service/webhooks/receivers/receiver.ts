import type { Notification } from '../../events/domain-event.js';

/** A kind of webhook receiver. A new kind is one file with such a descriptor, and its name in `webhookKind`. */
export interface Receiver {
  /** The JSON body that it takes for a notification. */
  readonly body: (notification: Notification) => Readonly<Record<string, unknown>>;
  /** Its documentation. */
  readonly docs: string;
}
