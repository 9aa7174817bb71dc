/** How many alerts changed, and how. `updated` alerts stayed open with other facts than before. */
export interface AlertCounts {
  readonly opened: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly updated: number;
}

export const noAlertCounts: AlertCounts = { opened: 0, reopened: 0, resolved: 0, updated: 0 };

export function addAlertCounts(a: AlertCounts, b: AlertCounts): AlertCounts {
  return {
    opened: a.opened + b.opened,
    reopened: a.reopened + b.reopened,
    resolved: a.resolved + b.resolved,
    updated: a.updated + b.updated,
  };
}
