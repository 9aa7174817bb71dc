import type {
  Notification,
  NotifiedAlert,
  NotifiedOverride,
  NotifiedScan,
  NotifiedVerdict,
} from '../events/domain-event.js';
import { plainLine } from './plain-line.js';

/** A notification as text for people. Only `project` and `lines` hold texts from outside, each as one plain line. */
export interface Message {
  /** Words and numbers of this program. */
  readonly headline: string;
  readonly project: string;
  readonly lines: readonly string[];
  readonly tone: 'alarm' | 'notice';
  /** RFC 3339. */
  readonly timestamp: string;
}

export function messageOf(notification: Notification): Message {
  const { data, timestamp } = notification;
  const message = (headline: string, lines: readonly string[], tone: Message['tone']): Message => ({
    headline,
    project: plainLine(data.project.name, 100),
    lines,
    tone,
    timestamp,
  });
  switch (notification.type) {
    case 'alert.red': {
      const { alerts, total } = notification.data;
      return message(counted(total, 'RED alert'), [...alerts.map(alertLine), ...more(total, alerts)], 'alarm');
    }
    case 'alert.known_exploited': {
      const { alerts, total } = notification.data;
      const headline = `${counted(total, 'alert')} on known exploited vulnerabilities`;
      return message(headline, [...alerts.map(alertLine), ...more(total, alerts)], 'alarm');
    }
    case 'verdict.band_raised': {
      const { verdicts, total } = notification.data;
      const headline = `${counted(total, 'verdict')} raised to a higher band`;
      return message(headline, [...verdicts.map(verdictLine), ...more(total, verdicts)], 'notice');
    }
    case 'scan.finished':
      return message(scanHeadline(notification.data.scan), scanLines(notification.data.scan), 'notice');
    case 'override.changed':
      return message(
        `Override ${notification.data.override.change}`,
        overrideLines(notification.data.override),
        'notice',
      );
    case 'test':
      return message('Test notification', [`Webhook: ${plainLine(notification.data.webhook, 100)}`], 'notice');
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function more(total: number, shown: readonly unknown[]): string[] {
  return total > shown.length ? [`and ${total - shown.length} more`] : [];
}

const changeWords = {
  new: 'new',
  reopened: 'reopened',
  listed: 'now known exploited',
  raised: 'now RED',
} as const satisfies Record<NotifiedAlert['change'], string>;

function alertLine(alert: NotifiedAlert): string {
  const facts = [
    changeWords[alert.change],
    ...(alert.cvss_score === null ? [] : [`CVSS ${alert.cvss_score}`]),
    ...(alert.epss === null ? [] : [`EPSS ${(alert.epss * 100).toFixed(1)} %`]),
    ...(alert.known_exploited && alert.change !== 'listed' ? ['known exploited'] : []),
    ...(alert.malicious ? ['malicious package'] : []),
    ...(alert.safe_version === null ? [] : [`${safeWords(alert)}: ${plainLine(alert.safe_version, 40)}`]),
  ];
  const versions = plainLine(alert.versions.slice(0, 3).join(', '), 60);
  const about = `${plainLine(alert.vulnerability_id, 60)} in ${packageText(alert)} ${versions}`;
  return `${about} (${facts.join(', ')}): ${plainLine(alert.title, 120)}`;
}

function safeWords({ safe_version_status: status }: NotifiedAlert): string {
  return status === 'published' ? 'safe' : 'safe, if it was published';
}

function packageText({ package: { ecosystem, name } }: Pick<NotifiedAlert, 'package'>): string {
  return `${ecosystem} ${plainLine(name, 100)}`;
}

function verdictLine(verdict: NotifiedVerdict): string {
  const bands = `${bandText(verdict.from)} to ${bandText(verdict.to)}`;
  const about = `${plainLine(verdict.vulnerability_id, 60)} in ${packageText(verdict)}`;
  return `${about}: ${bands}, EffectivePriority ${verdict.effective_priority}`;
}

function bandText(band: string): string {
  return band.replaceAll('_', ' ');
}

function scanHeadline({ status, domain }: NotifiedScan): string {
  return `Scan of ${domain.replaceAll('_', ' ')} ${status === 'done' ? 'finished' : 'failed'}`;
}

function scanLines({ source, findings, tiers }: NotifiedScan): string[] {
  const lines = [`Source: ${plainLine(source, 200)}`];
  if (findings !== null) {
    const { total, fixed, reopened } = findings;
    lines.push(`Findings: ${findings.new} new, ${reopened} reopened, ${fixed} fixed, ${total} in all`);
  }
  if (tiers !== null) lines.push(`Open: ${tiers.red} RED, ${tiers.yellow} YELLOW, ${tiers.green} GREEN`);
  return lines;
}

function overrideLines(override: NotifiedOverride): string[] {
  const exploited = override.known_exploited ? ', known exploited' : '';
  const about = `${plainLine(override.vulnerability_id, 60)} in ${packageText(override)}: ${override.verdict}`;
  return [`${about}${exploited}`, `By: ${plainLine(override.by, 100)}`, `Reason: ${plainLine(override.reason, 300)}`];
}
