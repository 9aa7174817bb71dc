import type { Notification, NotifiedAlert } from '../../../src/service/events/domain-event.js';

const project = { id: 'prj_1', name: 'shop' };
const timestamp = '2026-01-02T03:04:05.000Z';

export const notifiedAlert: NotifiedAlert = {
  id: 'alr_1',
  vulnerability_id: 'CVE-2021-44228',
  package: { ecosystem: 'Maven', name: 'org.apache.logging.log4j:log4j-core' },
  versions: ['2.14.1'],
  safe_version: '2.17.1',
  safe_version_status: 'published',
  title: 'Remote code injection in Log4j',
  tier: 'RED',
  cvss_score: 10,
  epss: 0.944,
  known_exploited: true,
  malicious: false,
  change: 'new',
};

const verdict = {
  alert_id: 'alr_1',
  verdict_id: 'vrd_1',
  vulnerability_id: 'CVE-2021-44228',
  package: notifiedAlert.package,
};

export const scan = {
  id: 'scn_1',
  domain: 'code',
  source: 'https://example.com/shop',
  status: 'done',
  findings: { total: 9, new: 2, reopened: 1, fixed: 3, unchanged: 6, suppressed: 0 },
  tiers: { red: 1, yellow: 2, green: 6 },
} as const;

/** One notification of every type. */
export const notifications: readonly Notification[] = [
  { type: 'alert.red', timestamp, data: { project, total: 138, alerts: [notifiedAlert] } },
  {
    type: 'alert.known_exploited',
    timestamp,
    data: { project, total: 1, alerts: [{ ...notifiedAlert, change: 'listed' }] },
  },
  {
    type: 'verdict.band_raised',
    timestamp,
    data: {
      project,
      total: 1,
      verdicts: [{ ...verdict, from: 'needs_review', to: 'likely_exploitable', effective_priority: 73.1 }],
    },
  },
  { type: 'scan.finished', timestamp, data: { project, scan } },
  {
    type: 'scan.finished',
    timestamp,
    data: { project, scan: { ...scan, status: 'failed', findings: null, tiers: null } },
  },
  {
    type: 'override.changed',
    timestamp,
    data: {
      project,
      override: {
        ...verdict,
        change: 'set',
        verdict: 'NotExploitable',
        reason: 'sandboxed',
        known_exploited: true,
        by: 'Ada',
        expires_at: null,
      },
    },
  },
  { type: 'test', timestamp, data: { project, webhook: 'ours' } },
];

/** Markup, mentions and invisible characters of every receiver. */
export const hostile =
  '&amp; <!channel> <@U1> <users/all> @everyone </b><a href="https://evil.example">x</a> [x](https://evil.example) *b* _i_ `c` a\r\nb\u202ec\u200bd';

/** Every text from outside in it is the given one. */
export function hostileNotification(text: string): Notification {
  const alert: NotifiedAlert = {
    ...notifiedAlert,
    vulnerability_id: text,
    package: { ecosystem: 'npm', name: text },
    versions: [text],
    safe_version: text,
    title: text,
  };
  const alerts = Array.from({ length: 5 }, () => alert);
  return { type: 'alert.red', timestamp, data: { project: { id: 'prj_1', name: text }, total: 5_000, alerts } };
}
