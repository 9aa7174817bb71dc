import type { InventoryAlert } from './inventory.js';

/** What to do about an alert, with the day of the advisories that say so; null where no version may be proposed. */
export function proposalOf(
  { safe_version, safe_version_status, advised_as_of }: InventoryAlert,
  update: string,
): string | null {
  if (safe_version === null || advised_as_of === null) return null;
  const day = advised_as_of.toISOString().slice(0, 10);
  const doubt = safe_version_status === 'published' ? '' : ' Nothing shows that it was published.';
  return `${update} to ${safe_version}: no advisory of ${day} or before affects it.${doubt}`;
}
