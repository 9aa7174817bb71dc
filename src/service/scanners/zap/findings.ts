import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../../shared/text/clip.js';
import { compareText } from '../../../shared/text/compare-text.js';
import { vulnerabilityIdsIn } from '../../../shared/vulnerability-id.js';
import { numberedIdentities } from '../../findings/identity.js';
import type { ReportedFinding } from '../../findings/scan.js';
import type { AppDetails, SiteScan } from '../app-scan.js';
import { cweOf } from '../cwe.js';
import type { Report } from '../scanner.js';
import { readZap, type ZapAlert } from './report.js';
import { appTier, confidences, falsePositive, severities } from './severity.js';
import { plainZapText } from './text.js';

/** The tool's name in findings and jobs. */
const tool = 'ZAP';

/** Instances that a finding lists; `instance_count` counts all. */
const maxInstances = 20;

/** Characters kept of what ZAP writes. */
const limits = {
  rule: 100,
  title: 200,
  solution: 4_000,
  searched: 8_000,
  url: 2_048,
  parameter: 500,
  method: 20,
} as const;

/** What ZAP found on each site of a report. */
export async function readSiteScans(report: Report): Promise<SiteScan[]> {
  const scans: SiteScan[] = [];
  for (const { origin, alerts } of await readZap(report)) {
    scans.push({ origin, tools: [tool], findings: await findingsOf(alerts) });
  }
  return scans;
}

async function findingsOf(alerts: readonly ZapAlert[]): Promise<ReportedFinding[]> {
  const yieldNow = yieldToEventLoop();
  const ordered = alerts.toSorted(byName);
  const identities = await numberedIdentities(ordered.map((alert) => ({ parts: identityParts(alert) })));
  const findings: ReportedFinding[] = [];
  for (const [at, alert] of ordered.entries()) {
    await yieldNow();
    findings.push(findingOf(alert, identities[at] ?? Buffer.alloc(0)));
  }
  return findings;
}

/**
 * One plugin raises several kinds of alert, which differ by their reference. Reports before ZAP 2.11 may lack it; there the
 * kinds differ by name. One kind may still come several times, with another risk or confidence.
 */
function identityParts({ pluginid, alertRef, ...alert }: ZapAlert): (string | null)[] {
  return alertRef === null || alertRef === undefined
    ? ['name', pluginid, nameOf(alert)]
    : ['reference', pluginid, alertRef];
}

function nameOf({ name, alert }: Pick<ZapAlert, 'name' | 'alert'>): string {
  return name ?? alert ?? '';
}

function byName(a: ZapAlert, b: ZapAlert): number {
  return compareText(nameOf(a), nameOf(b)) || b.riskcode - a.riskcode || b.confidence - a.confidence;
}

function findingOf(alert: ZapAlert, identity: Buffer): ReportedFinding {
  const { pluginid, alertRef, riskcode, confidence } = alert;
  const severity = severities[riskcode] ?? 'info';
  const rule_id = onOneLine(alertRef ?? pluginid, limits.rule);
  return {
    tool,
    identity,
    rule_id,
    title: onOneLine(plainZapText(nameOf(alert)), limits.title) || rule_id,
    severity,
    tier: appTier(severity, confidence),
    suppressed: confidence === falsePositive,
    cve: null,
    epss: null,
    kev_added: null,
    details: { ...detailsOf(alert) },
  };
}

function detailsOf({ confidence, instances, count, cweid, solution, ...texts }: ZapAlert): AppDetails {
  const all = instances ?? [];
  const [advice, cwe] = [plainZapText(solution ?? ''), cweOf(cweid ?? '')];
  const named = vulnerabilitiesOf(texts);
  // Newer reports list some instances and count all.
  const counted = /^\d{1,9}$/.test(count ?? '') ? Number(count) : 0;
  return {
    confidence: confidences[confidence] ?? null,
    instances: all.slice(0, maxInstances).map(({ uri, method, param }) => ({
      url: clip(uri ?? '', limits.url),
      method: textOrNull(method, limits.method),
      parameter: textOrNull(param, limits.parameter),
    })),
    instance_count: Math.max(counted, all.length),
    cwes: cwe === undefined ? [] : [cwe],
    solution: advice === '' ? null : clip(advice, limits.solution),
    ...(named.length > 0 && { vulnerabilities: named }),
  };
}

/** The vulnerabilities that the texts and tags of an alert name, as those about old libraries do. */
function vulnerabilitiesOf({
  desc,
  otherinfo,
  reference,
  tags,
}: Pick<ZapAlert, 'desc' | 'otherinfo' | 'reference' | 'tags'>) {
  const texts = [desc, otherinfo, reference, JSON.stringify((tags ?? []).slice(0, 100))];
  return vulnerabilityIdsIn(texts.map((text) => clip(text ?? '', limits.searched)).join('\n'), maxVulnerabilities);
}

/** Ids of vulnerabilities that a finding keeps. */
const maxVulnerabilities = 20;

function textOrNull(text: string | null | undefined, max: number): string | null {
  return text === null || text === undefined || text === '' ? null : clip(text, max);
}
