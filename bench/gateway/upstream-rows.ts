import type { Domain } from '../../src/procedures/risk.js';

/** Answers of the service in wire form, as those of the sample data. */

const titles = [
  'Log4Shell: a logged string can make Log4j load and run code from a remote server',
  'lodash defaultsDeep lets input change the prototype of all objects',
  'Who can change Log4j’s configuration can make its JDBC appender load remote code',
  'systeminformation passes unchecked service names to a shell',
];
const bands = ['known_exploited', 'likely_exploitable', 'needs_review', 'likely_not_exploitable'];

/** One of the values, in turn. */
function at<T>(values: readonly T[], n: number): T | undefined {
  return values[n % values.length];
}

const idOf = (n: number) => `alr_4b7evo3itoffhi4p${1000 + n}`;

/** The id of the last alert of a page. */
export const lastOf = (rows: number) => idOf(rows - 1);

/** The n-th alert of a page. */
function alert(n: number) {
  const name = `org.example.module-${n}:core`;
  return {
    id: idOf(n),
    project_id: 'prj_65b5dsi5w7gewou6scsr',
    cve: `CVE-2024-${44_000 + n}`,
    advisory_ids: [`GHSA-jfh8-c2jp-${1000 + n}`],
    title: at(titles, n),
    package: { ecosystem: 'Maven', name, purl: `pkg:maven/${name.replace(':', '/')}` },
    versions: [`2.14.${n}`],
    safe_version: n % 5 === 0 ? null : `2.17.${n}`,
    safe_version_status: n % 5 === 0 ? null : 'published',
    tier: at(['RED', 'YELLOW', 'GREEN'], n),
    band: at(bands, n),
    verdict: {
      id: `vrd_2oking2ztj5ivrypq${1000 + n}`,
      effective_priority: 95.9 - n / 2,
      usage: 'called',
      site: `src/search/find-products-${n}.ts:41`,
      site_count: 3,
      exposure: 'internet',
      override: null,
    },
    status: n % 4 === 3 ? 'acknowledged' : 'open',
    severity: at(['critical', 'high', 'moderate'], n),
    cvss: { version: '3.1', score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    epss: n % 3 === 2 ? null : { probability: 0.94358, percentile: 0.99955, date: '2026-08-15' },
    kev: n % 4 === 0 ? { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true } : null,
    malicious: false,
    acknowledged: n % 4 === 3 ? { at: '2026-10-20T08:15:00.000Z', by: 'First admin', note: 'Mended in 2.1' } : null,
    first_seen_at: `2026-10-19T02:33:${10 + (n % 50)}.474Z`,
    resolved_at: null,
    resolution: null,
  };
}

export function alertPage(rows: number) {
  const items = Array.from({ length: rows }, (_, n) => alert(n));
  const as_of = '2026-01-01T00:00:00.000Z';
  return { items, page: 1, page_size: 100, total: rows, has_more: false, next_cursor: null, as_of, coverage: null };
}

function finding(domain: Domain, n: number) {
  return {
    id: `fnd_01a20640a8c3000000037b5797be${1000 + n}`,
    domain,
    project: { id: 'prj_65b5dsi5w7gewou6scsr', name: 'Web shop' },
    risk: at(['known_exploited', 'reachable', 'critical', 'other'], n),
    title: at(titles, n),
    tier: at(['RED', 'YELLOW', 'GREEN'], n),
    severity: at(['critical', 'high', 'medium'], n),
    cve: domain === 'code' ? null : `CVE-2024-${44_000 + n}`,
    package: domain === 'dependencies' ? `pkg:npm/example-${n}@4.17.11` : null,
    location: domain === 'dependencies' ? null : `src/search/find-products-${n}.ts:41`,
    usage: domain === 'dependencies' ? 'called' : null,
    effective_priority: domain === 'dependencies' ? 90 - n : null,
    epss: n % 2 === 0 ? 0.94358 : null,
    kev: n % 4 === 0,
  };
}

const coverageOf = (domain: Domain) => ({
  status: 'affected',
  domains: [{ domain, status: 'affected' }],
  feeds: ['Maven', 'crates.io', 'npm'].map((ecosystem) => ({
    ecosystem,
    as_of: '2026-11-22T03:00:00.000Z',
    stale: false,
  })),
  known: true,
  gaps: ['1 of 2 projects have no code scan', 'no complete advisories are loaded for Maven, crates.io, npm'],
});
const findings = (domain: Domain, count: number) => Array.from({ length: count }, (_, n) => finding(domain, n));
const week = { new: 3, reopened: 1, resolved: 2, open: 21 };

export function domainDiff(domain: Domain) {
  const since = '2026-11-16T00:00:00.000Z';
  return { ...week, domain, since, worst_new: findings(domain, 5), coverage: coverageOf(domain) };
}

export function domainRisks(domain: Domain) {
  const steps = [{ from: '4.17.11', to: '4.17.21', status: 'published', direct: 'itself' }];
  const fix = { package: 'lodash', steps, more: 0, scope: 'runtime', closes: 4, leaves: 0, priority: 245.7 };
  const risks = findings(domain, 10).map((each) => ({ ...each, fix: domain === 'dependencies' ? fix : null }));
  return { domain, risks, de_escalated: 5, triaged: 2, coverage: coverageOf(domain) };
}

export function domainSummary(domain: Domain) {
  const weekly = { ...week, before: 19 };
  return {
    domain,
    open: { critical: 6, high: 15, medium: 7, low: 1, info: 0, unknown: 0 },
    acknowledged: 1,
    suppressed: 1,
    tiers: { red: weekly, yellow: weekly, green: weekly },
    worst: finding(domain, 0),
    coverage: coverageOf(domain),
  };
}

export const verdictCounts = {
  known_exploited: 3,
  likely_exploitable: 3,
  needs_review: 15,
  likely_not_exploitable: 6,
  unanalyzed: 2,
};
