import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { compareText } from '../../../shared/text/compare-text.js';
import { clip, onOneLine } from '../../../shared/text/cut.js';
import { vulnerabilityIdsIn } from '../../../shared/vulnerability-id.js';
import { numberedIdentities } from '../../findings/identity.js';
import type { ReportedFinding } from '../../findings/scan.js';
import type { AppDetails, SiteScan } from '../app-scan.js';
import { cweOf } from '../cwe.js';
import type { Intake } from '../intake.js';
import type { Report } from '../scanner.js';
import { webAddress } from '../web-address.js';
import { readZap, type ZapAlert } from './report.js';
import { appTier, confidences, falsePositive, severities } from './severity.js';
import { plainZapText } from './text.js';

/** The tool's name in findings and jobs. */
const tool = 'ZAP';
const seer = { tool, scope: [] };

/** Instances that a finding lists; `instance_count` counts all. */
const maxInstances = 20;

/** Addresses of an alert's references. */
const maxReferences = 5;

/** Characters kept of what ZAP writes. */
const limits = {
  rule: 100,
  title: 200,
  description: 300,
  solution: 4_000,
  searched: 8_000,
  url: 2_048,
  parameter: 500,
  method: 20,
  proof: 200,
} as const;

/**
 * What ZAP found on each site of a report. A site of which an alert could not be read was not searched to its end: what is
 * missing may still be there.
 */
export async function readSiteScans(report: Report, intake: Intake): Promise<SiteScan[]> {
  const scans: SiteScan[] = [];
  const { sites, reportedAt } = await readZap(report, intake);
  for (const { origin, alerts, complete } of sites) {
    const searched = complete ? [{ ...seer, parts: null }] : [];
    scans.push({ origin, searched, findings: await findingsOf(alerts, origin), reportedAt });
  }
  return scans;
}

async function findingsOf(alerts: readonly ZapAlert[], origin: string): Promise<ReportedFinding[]> {
  const yieldNow = yieldToEventLoop();
  const ordered = alerts.toSorted(byName);
  const identities = await numberedIdentities(ordered.map((alert) => ({ parts: identityParts(alert) })));
  const findings: ReportedFinding[] = [];
  for (const [at, alert] of ordered.entries()) {
    await yieldNow();
    findings.push(findingOf(alert, identities[at] ?? Buffer.alloc(0), origin));
  }
  return findings;
}

/**
 * One plugin raises several kinds of alert, which differ by their reference. Reports before ZAP 2.11 may lack it; there the
 * kinds differ by name. One kind may still come several times, with another risk or confidence.
 */
function identityParts({ pluginid, alertRef, ...alert }: ZapAlert): (string | null)[] {
  return alertRef === null ? ['name', pluginid, nameOf(alert)] : ['reference', pluginid, alertRef];
}

function nameOf({ name, alert }: Pick<ZapAlert, 'name' | 'alert'>): string {
  return name ?? alert ?? '';
}

function byName(a: ZapAlert, b: ZapAlert): number {
  return compareText(nameOf(a), nameOf(b)) || b.riskcode - a.riskcode || b.confidence - a.confidence;
}

function findingOf(alert: ZapAlert, identity: Buffer, origin: string): ReportedFinding {
  const { pluginid, alertRef, riskcode, confidence } = alert;
  const severity = severities[riskcode] ?? 'info';
  const rule_id = onOneLine(alertRef ?? pluginid, limits.rule);
  return {
    tool,
    seer,
    identity,
    rule_id,
    title: onOneLine(plainZapText(nameOf(alert)), limits.title) || rule_id,
    severity,
    tier: appTier(severity, confidence),
    suppressed: confidence === falsePositive,
    cve: null,
    epss: null,
    kev_added: null,
    details: { ...detailsOf(alert, origin) },
  };
}

/** An instance that names no address is somewhere on the site. */
function detailsOf(alert: ZapAlert, origin: string): AppDetails {
  const { confidence, instances, count, cweid, desc, solution, reference } = alert;
  const cwe = cweOf(cweid ?? '');
  const named = vulnerabilitiesOf(alert);
  return {
    confidence: confidences[confidence] ?? null,
    instances: instances.slice(0, maxInstances).map(({ uri, method, param, attack, evidence }) => ({
      url: clip(uri || origin, limits.url),
      method: textOrNull(method, limits.method),
      parameter: textOrNull(param, limits.parameter),
      attack: textOrNull(attack, limits.proof),
      evidence: textOrNull(evidence, limits.proof),
    })),
    // Newer reports list some instances and count all.
    instance_count: Math.max(count ?? 0, instances.length),
    cwes: cwe === undefined ? [] : [cwe],
    description: textOrNull(plainZapText(clip(desc ?? '', 8 * limits.description)), limits.description),
    solution: textOrNull(plainZapText(solution ?? ''), limits.solution),
    references: referencesIn(reference ?? ''),
    ...(named.length > 0 && { vulnerabilities: named }),
  };
}

/** The web addresses of a text; there is one a line. */
function referencesIn(html: string): string[] {
  const lines = plainZapText(clip(html, 16 * 1024)).split('\n');
  const addresses = lines.flatMap((line) => webAddress(line.trim()) ?? []);
  return [...new Set(addresses)].slice(0, maxReferences);
}

/** The vulnerabilities that the texts and tags of an alert name, as those about old libraries do. */
function vulnerabilitiesOf({
  desc,
  otherinfo,
  reference,
  tags,
}: Pick<ZapAlert, 'desc' | 'otherinfo' | 'reference' | 'tags'>) {
  const texts = [desc, otherinfo, reference, JSON.stringify(tags.slice(0, 100))];
  return vulnerabilityIdsIn(texts.map((text) => clip(text ?? '', limits.searched)).join('\n'), maxVulnerabilities);
}

/** Ids of vulnerabilities that a finding keeps. */
const maxVulnerabilities = 20;

function textOrNull(text: string | null, max: number): string | null {
  return text === null || text === '' ? null : clip(text, max);
}
