import type * as z from 'zod';
import type { webhookEvent, webhookKind } from '../../procedures/webhooks.js';
import type { OverrideVerdict, Tier } from '../../shared/vulnerability-terms.js';
import type { ScanResult } from '../findings/scan.js';

export type WebhookKind = z.infer<typeof webhookKind>;
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** A package as a notification names it. */
interface NotifiedPackage {
  readonly ecosystem: string;
  readonly name: string;
}

export interface NotifiedAlert {
  readonly id: string;
  /** The CVE, or the advisory's id where it has none. */
  readonly vulnerability_id: string;
  readonly package: NotifiedPackage;
  readonly versions: readonly string[];
  readonly safe_version: string | null;
  readonly title: string;
  readonly tier: Tier;
  readonly cvss_score: number | null;
  readonly epss: number | null;
  readonly known_exploited: boolean;
  readonly malicious: boolean;
  /** `listed`: known before, and now in the catalogue of known exploited vulnerabilities; `raised`: known before, now RED. */
  readonly change: 'new' | 'reopened' | 'listed' | 'raised';
}

export interface NotifiedVerdict {
  readonly alert_id: string;
  readonly verdict_id: string;
  readonly vulnerability_id: string;
  readonly package: NotifiedPackage;
  readonly from: string;
  readonly to: string;
  readonly effective_priority: number;
}

export interface NotifiedScan {
  readonly id: string;
  readonly domain: string;
  readonly source: string;
  readonly status: 'done' | 'failed';
  /** What the scan has changed; null where it failed. */
  readonly findings: ScanResult['findings'] | null;
  /** Open findings of the source, after the scan; null where it failed. */
  readonly tiers: ScanResult['tiers'] | null;
}

export interface NotifiedOverride {
  readonly alert_id: string;
  readonly verdict_id: string;
  readonly vulnerability_id: string;
  readonly package: NotifiedPackage;
  readonly change: 'set' | 'cleared' | 'expired';
  /** What was set, or what stood until now. */
  readonly verdict: OverrideVerdict;
  readonly reason: string;
  /** Who set or cleared it. */
  readonly by: string;
  readonly expires_at: string | null;
}

/** What has happened; of many at once the number, and the worst of them. */
export type DomainEvent =
  | {
      readonly type: 'alert.red' | 'alert.known_exploited';
      readonly data: { readonly total: number; readonly alerts: readonly NotifiedAlert[] };
    }
  | {
      readonly type: 'verdict.band_raised';
      readonly data: { readonly total: number; readonly verdicts: readonly NotifiedVerdict[] };
    }
  | { readonly type: 'scan.finished'; readonly data: { readonly scan: NotifiedScan } }
  | { readonly type: 'override.changed'; readonly data: { readonly override: NotifiedOverride } }
  | { readonly type: 'test'; readonly data: { readonly webhook: string } };

/** A DomainEvent in its project: what is sent, and what a delivery keeps until then. */
export type Notification = DomainEvent & {
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: { readonly project: { readonly id: string; readonly name: string } };
};
