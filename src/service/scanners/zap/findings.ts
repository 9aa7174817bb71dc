import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../../shared/text/clip.js';
import type { AppDetails } from '../../dast/app-finding.js';
import { numberedIdentities } from '../../findings/identity.js';
import { cweOf } from '../../findings/plain-words.js';
import type { ReportedFinding } from '../../findings/scan.js';
import type { ZapAlert, ZapSite } from './report.js';
import { appTier, confidences, falsePositive, severities } from './severity.js';
import { plainZapText } from './text.js';

/** The tool's name in findings and jobs. */
export const zap = 'ZAP';

/** Instances listed; their number is told beside. */
const mostInstances = 20;

/** Characters kept of what ZAP writes. */
const limits = { rule: 100, title: 200, solution: 4_000, url: 2_048, parameter: 500, method: 20 } as const;

/** What ZAP found on one site. */
export async function zapFindings({ alerts }: ZapSite): Promise<ReportedFinding[]> {
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
 * An alert's reference tells the kinds of alert that one plugin raises apart. Reports before ZAP 2.11 may lack it: there
 * the name does. One kind may still come more than once, by risk and confidence.
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
  const [one, other] = [nameOf(a), nameOf(b)];
  const names = one < other ? -1 : one > other ? 1 : 0;
  return names || b.riskcode - a.riskcode || b.confidence - a.confidence;
}

function findingOf(alert: ZapAlert, identity: Buffer): ReportedFinding {
  const { pluginid, alertRef, riskcode, confidence } = alert;
  const severity = severities[riskcode] ?? 'info';
  const ruleId = onOneLine(alertRef ?? pluginid, limits.rule);
  return {
    tool: zap,
    identity,
    ruleId,
    title: onOneLine(plainZapText(nameOf(alert)), limits.title) || ruleId,
    severity,
    tier: appTier(severity, confidence),
    suppressed: confidence === falsePositive,
    cve: null,
    epss: null,
    kevAdded: null,
    details: { ...detailsOf(alert) },
  };
}

function detailsOf({ confidence, instances, count, cweid, solution }: ZapAlert): AppDetails {
  const all = instances ?? [];
  const [told, cwe] = [plainZapText(solution ?? ''), cweOf(cweid ?? '')];
  // Newer reports list some instances and count them all.
  const counted = /^\d{1,9}$/.test(count ?? '') ? Number(count) : 0;
  return {
    confidence: confidences[confidence] ?? null,
    instances: all.slice(0, mostInstances).map(({ uri, method, param }) => ({
      url: clip(uri ?? '', limits.url),
      method: textOrNull(method, limits.method),
      parameter: textOrNull(param, limits.parameter),
    })),
    instance_count: Math.max(counted, all.length),
    cwes: cwe === undefined ? [] : [cwe],
    solution: told === '' ? null : clip(told, limits.solution),
  };
}

function textOrNull(text: string | null | undefined, max: number): string | null {
  return text === null || text === undefined || text === '' ? null : clip(text, max);
}
