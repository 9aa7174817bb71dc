import type { DomainEvent, NotifiedScan } from '../events/domain-event.js';

/** A scan has finished or failed. */
export function scanEvents(scan: NotifiedScan): DomainEvent[] {
  return [{ type: 'scan.finished', data: { scan } }];
}
