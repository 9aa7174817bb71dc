import type { Selectable } from 'kysely';
import { nameOf } from '../alerts/alert-row.js';
import type { Schema } from '../db/schema.js';
import type { DomainEvent, NotifiedOverride } from '../events/domain-event.js';

type OverriddenAlert = Pick<
  Selectable<Schema['alerts']>,
  'id' | 'vulnerability_id' | 'ecosystem' | 'package_name' | 'name' | 'kev_added'
>;
type OverrideColumns = Pick<
  Selectable<Schema['verdicts']>,
  'override_verdict' | 'override_reason' | 'override_expires_at'
>;

/** An event for an override that was set, cleared or has expired. `override` is the new one, or the one until now. */
export function overrideEvents(
  alert: OverriddenAlert,
  verdictId: string,
  change: NotifiedOverride['change'],
  override: OverrideColumns,
  by: string,
): DomainEvent[] {
  const { override_verdict: verdict, override_reason: reason, override_expires_at: expiry } = override;
  if (verdict === null || reason === null) return [];
  const notified: NotifiedOverride = {
    alert_id: alert.id,
    verdict_id: verdictId,
    vulnerability_id: alert.vulnerability_id,
    package: { ecosystem: alert.ecosystem, name: nameOf(alert) },
    change,
    verdict,
    reason,
    known_exploited: alert.kev_added !== null,
    by,
    expires_at: expiry?.toISOString() ?? null,
  };
  return [{ type: 'override.changed', data: { override: notified } }];
}
