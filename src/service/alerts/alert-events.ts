import { normaliseName } from '../../shared/packages/purl.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Context } from '../api/handler.js';
import type { DomainEvent, NotifiedAlert } from '../events/domain-event.js';
import { addTopN, addToTopN, type TopN } from '../events/top-n.js';
import type { AlertFacts } from './alert-facts.js';
import { nameOf } from './alert-row.js';
import { adviseAlerts } from './package-advice.js';

/** The news of one reconciliation. Keeps a handful of alerts, however many have changed. */
export interface AlertSummary {
  readonly red: TopN<NotifiedAlert>;
  /** Those of `red` that are not in `knownExploited` too. */
  readonly otherRed: TopN<NotifiedAlert>;
  readonly knownExploited: TopN<NotifiedAlert>;
}

const none = { total: 0, worst: [] };
export const noAlertSummary: AlertSummary = { red: none, otherRed: none, knownExploited: none };

type ChangedAlert = AlertFacts & { readonly id: string };

/** Alerts by how they changed. `listed` and `raised` ones are older, but known exploited, or RED, only now. */
export interface ChangedAlerts {
  readonly opened: readonly ChangedAlert[];
  readonly reopened: readonly ChangedAlert[];
  readonly listed: readonly ChangedAlert[];
  readonly raised: readonly ChangedAlert[];
}

export function addToAlertSummary(
  summary: AlertSummary,
  { opened, reopened, listed, raised }: ChangedAlerts,
): AlertSummary {
  const appeared = [
    ...opened.map((alert) => notifiedAlert(alert, 'new')),
    ...reopened.map((alert) => notifiedAlert(alert, 'reopened')),
  ];
  const exploited = [
    ...appeared.filter((alert) => alert.known_exploited),
    ...listed.map((alert) => notifiedAlert(alert, 'listed')),
  ];
  const red = [
    ...appeared.filter(({ tier }) => tier === 'RED'),
    ...raised.map((alert) => notifiedAlert(alert, listed.includes(alert) ? 'listed' : 'raised')),
  ];
  const exploitedIds = new Set(exploited.map(({ id }) => id));
  const otherRed = red.filter(({ id }) => !exploitedIds.has(id));
  return {
    red: addToTopN(summary.red, red, worseFirst),
    otherRed: addToTopN(summary.otherRed, otherRed, worseFirst),
    knownExploited: addToTopN(summary.knownExploited, exploited, worseFirst),
  };
}

/** Both together. */
export function addAlertSummaries(a: AlertSummary, b: AlertSummary): AlertSummary {
  return {
    red: addTopN(a.red, b.red, worseFirst),
    otherRed: addTopN(a.otherRed, b.otherRed, worseFirst),
    knownExploited: addTopN(a.knownExploited, b.knownExploited, worseFirst),
  };
}

/** The news with versions that may be proposed now: until then it has those that advisories name. */
export async function adviseSummary(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  { red, otherRed, knownExploited }: AlertSummary,
): Promise<AlertSummary> {
  const named = new Map([red, otherRed, knownExploited].flatMap(({ worst }) => worst.map((each) => [each.id, each])));
  const rows = [...named.values()].map(({ id, package: { ecosystem, name }, versions, safe_version }) => {
    return { id, ecosystem, package_name: normaliseName(ecosystem, name), versions, safe_version };
  });
  const advised = new Map((await adviseAlerts(ctx, rows)).map((row) => [row.id, row]));
  const told = ({ total, worst }: TopN<NotifiedAlert>) => ({
    total,
    worst: worst.map((alert) => {
      const { safe_version = null, safe_version_status = null } = advised.get(alert.id) ?? {};
      return { ...alert, safe_version, safe_version_status };
    }),
  });
  return { red: told(red), otherRed: told(otherRed), knownExploited: told(knownExploited) };
}

/**
 * The events for a webhook that subscribes to `wanted`, each alert in one of them: every known exploited alert is RED, so a
 * webhook with both events gets it as the rarer of the two.
 */
export function alertEvents({ red, otherRed, knownExploited }: AlertSummary, wanted: readonly string[]): DomainEvent[] {
  const wantsExploited = wanted.includes('alert.known_exploited');
  const events = [
    { type: 'alert.red', top: wantsExploited ? otherRed : red },
    { type: 'alert.known_exploited', top: knownExploited },
  ] as const;
  return events.flatMap(({ type, top: { total, worst } }) =>
    total > 0 && wanted.includes(type) ? [{ type, data: { total, alerts: worst } }] : [],
  );
}

function notifiedAlert(alert: ChangedAlert, change: NotifiedAlert['change']): NotifiedAlert {
  return {
    id: alert.id,
    vulnerability_id: alert.vulnerability_id,
    package: { ecosystem: alert.ecosystem, name: nameOf(alert) },
    versions: alert.versions,
    safe_version: alert.safe_version,
    safe_version_status: null,
    title: alert.title,
    tier: alert.tier,
    cvss_score: alert.cvss_score,
    epss: alert.epss,
    known_exploited: alert.kev_added !== null,
    malicious: alert.malicious,
    change,
  };
}

/** Known exploited first, then malicious, then by CVSS and EPSS, then by package and vulnerability. */
function worseFirst(a: NotifiedAlert, b: NotifiedAlert): number {
  return (
    Number(b.known_exploited) - Number(a.known_exploited) ||
    Number(b.malicious) - Number(a.malicious) ||
    (b.cvss_score ?? -1) - (a.cvss_score ?? -1) ||
    (b.epss ?? -1) - (a.epss ?? -1) ||
    compareText(a.package.name, b.package.name) ||
    compareText(a.vulnerability_id, b.vulnerability_id)
  );
}
