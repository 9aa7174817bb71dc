import type { HappenedEvent, ToldScan } from './notification.js';

/** That a scan is over. */
export function scanEvents(scan: ToldScan): HappenedEvent[] {
  return [{ type: 'scan.finished', data: { scan } }];
}
