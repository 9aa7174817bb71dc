import type { DomainEvent, NotifiedScan } from '../events/domain-event.js';

/** That a scan is over. */
export function scanEvents(scan: NotifiedScan): DomainEvent[] {
  return [{ type: 'scan.finished', data: { scan } }];
}
