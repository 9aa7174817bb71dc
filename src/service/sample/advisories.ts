/**
 * Advisories of the sample project: facts from the GitHub Advisory Database (CC BY 4.0) and RustSec (CC0), EPSS of
 * 2025-08-15 (FIRST) and CISA's KEV catalogue, told in our own words. `modified` is the day of publication, so that a
 * loaded feed always replaces them.
 */
const npm = (name: string, ...ranges: readonly [introduced: string, fixed: string | null][]) =>
  affected('npm', name, ranges);

function affected(ecosystem: string, name: string, ranges: readonly (readonly [string, string | null])[]) {
  return {
    package: { ecosystem, name },
    ranges: ranges.map(([introduced, fixed]) => ({
      type: 'ECOSYSTEM',
      events: fixed === null ? [{ introduced }] : [{ introduced }, { fixed }],
    })),
  };
}

const cvss = (vector: string) => [{ type: 'CVSS_V3', score: `CVSS:3.1/${vector}` }];

/** OSV records, read by the same schema as a feed's. */
export const sampleAdvisories = [
  {
    id: 'GHSA-jfh8-c2jp-5v3q',
    aliases: ['CVE-2021-44228'],
    published: '2021-12-10T00:40:56Z',
    modified: '2021-12-10T00:40:56Z',
    summary: 'Log4Shell: a logged string can make Log4j load and run code from a remote server',
    severity: cvss('AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'),
    database_specific: { severity: 'CRITICAL' },
    affected: [
      affected('Maven', 'org.apache.logging.log4j:log4j-core', [
        ['2.13.0', '2.15.0'],
        ['2.0-beta9', '2.3.1'],
        ['2.4', '2.12.2'],
      ]),
    ],
  },
  {
    id: 'GHSA-2m8v-572m-ff2v',
    aliases: ['CVE-2021-21315'],
    published: '2021-02-16T16:51:04Z',
    modified: '2021-02-16T16:51:04Z',
    summary: 'systeminformation passes unchecked service names to a shell',
    severity: cvss('AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'),
    database_specific: { severity: 'HIGH' },
    affected: [npm('systeminformation', ['0', '5.3.1'])],
  },
  {
    id: 'GHSA-f82v-jwr5-mffw',
    aliases: ['CVE-2025-29927'],
    published: '2025-03-21T15:20:12Z',
    modified: '2025-03-21T15:20:12Z',
    summary: 'Next.js: a request header skips the middleware, and so its authorization checks',
    severity: cvss('AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N'),
    database_specific: { severity: 'CRITICAL' },
    affected: [npm('next', ['13.0.0', '13.5.9'], ['14.0.0', '14.2.25'], ['15.0.0', '15.2.3'], ['12.0.0', '12.3.5'])],
  },
  {
    id: 'GHSA-jf85-cpcp-j695',
    aliases: ['CVE-2019-10744'],
    published: '2019-07-10T19:45:23Z',
    modified: '2019-07-10T19:45:23Z',
    summary: 'lodash defaultsDeep lets input change the prototype of all objects',
    severity: cvss('AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H'),
    database_specific: { severity: 'CRITICAL' },
    affected: [npm('lodash', ['0', '4.17.12'])],
  },
  {
    id: 'GHSA-35jh-r3h4-6jhm',
    aliases: ['CVE-2021-23337'],
    published: '2021-05-06T16:05:51Z',
    modified: '2021-05-06T16:05:51Z',
    summary: 'lodash template runs code given through its variable option',
    severity: cvss('AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H'),
    database_specific: { severity: 'HIGH' },
    affected: [npm('lodash', ['0', '4.17.21'])],
  },
  {
    id: 'GHSA-f8q6-p94x-37v3',
    aliases: ['CVE-2022-3517'],
    published: '2022-10-18T12:00:32Z',
    modified: '2022-10-18T12:00:32Z',
    summary: 'minimatch spends exponential time on crafted patterns with braces',
    severity: cvss('AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'),
    database_specific: { severity: 'HIGH' },
    affected: [npm('minimatch', ['0', '3.0.5'])],
  },
  {
    id: 'GHSA-3xgq-45jj-v275',
    aliases: ['CVE-2024-21538'],
    published: '2024-11-08T06:30:47Z',
    modified: '2024-11-08T06:30:47Z',
    summary: 'cross-spawn spends quadratic time on escaping crafted arguments',
    severity: cvss('AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'),
    database_specific: { severity: 'HIGH' },
    affected: [npm('cross-spawn', ['7.0.0', '7.0.5'], ['0', '6.0.6'])],
  },
  {
    id: 'GHSA-wf5p-g6vw-rhxx',
    aliases: ['CVE-2023-45857'],
    published: '2023-11-08T21:30:37Z',
    modified: '2023-11-08T21:30:37Z',
    summary: 'axios sends the XSRF token to hosts of other sites',
    severity: cvss('AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N'),
    database_specific: { severity: 'MODERATE' },
    affected: [npm('axios', ['1.0.0', '1.6.0'], ['0.8.1', '0.28.0'])],
  },
  {
    id: 'GHSA-5mrr-rgp6-x4gr',
    aliases: [],
    published: '2020-09-03T19:39:05Z',
    modified: '2020-09-03T19:39:05Z',
    summary: 'marsdb evaluates query input as code; there is no fixed version',
    severity: [],
    database_specific: { severity: 'CRITICAL' },
    affected: [npm('marsdb', ['0.0.0', null])],
  },
  {
    id: 'RUSTSEC-2021-0139',
    aliases: [],
    published: '2021-08-18T12:00:00Z',
    modified: '2021-08-18T12:00:00Z',
    summary: 'ansi_term is no longer maintained',
    severity: [],
    affected: [
      {
        ...affected('crates.io', 'ansi_term', [['0.0.0-0', null]]),
        database_specific: { informational: 'unmaintained' },
      },
    ],
  },
];

/** EPSS v2025.03.14, scored on 2025-08-15, in the feed's own form. */
export const sampleEpss = `#model_version:v2025.03.14,score_date:2025-08-15T00:00:00+0000
cve,epss,percentile
CVE-2019-10744,0.0341,0.86979
CVE-2021-21315,0.93764,0.9985
CVE-2021-23337,0.00551,0.66964
CVE-2021-44228,0.94358,0.99955
CVE-2022-3517,0.00457,0.63003
CVE-2023-45857,0.00106,0.29352
CVE-2024-21538,0.0013,0.33338
CVE-2025-29927,0.93549,0.99825
`;

/** Of CISA's KEV catalogue 2025.08.25, the entries that concern the sample. */
export const sampleKev = {
  catalogVersion: '2025.08.25',
  dateReleased: '2025-08-25T17:04:19Z',
  count: 2,
  vulnerabilities: [
    { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', dueDate: '2021-12-24', knownRansomwareCampaignUse: 'Known' },
    { cveID: 'CVE-2021-21315', dateAdded: '2022-01-18', dueDate: '2022-02-01', knownRansomwareCampaignUse: 'Unknown' },
  ],
};

/** A web shop's back end with a Java search service beside it, a while after anybody looked. */
export const samplePackages = [
  { purl: 'pkg:npm/express@4.18.2', direct: true },
  { purl: 'pkg:npm/lodash@4.17.11', direct: true },
  { purl: 'pkg:npm/next@14.1.0', direct: true },
  { purl: 'pkg:npm/systeminformation@5.2.0', direct: true },
  { purl: 'pkg:npm/axios@1.5.0', direct: true },
  { purl: 'pkg:npm/marsdb@0.6.11', direct: true },
  { purl: 'pkg:npm/minimatch@3.0.4', direct: false },
  { purl: 'pkg:npm/cross-spawn@7.0.3', direct: false, scope: 'development' },
  { purl: 'pkg:npm/request@2.88.2', direct: true, deprecated: 'request has been deprecated, see issue 3142' },
  { purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', direct: true },
  { purl: 'pkg:cargo/ansi_term@0.12.1', direct: false },
] as const;
