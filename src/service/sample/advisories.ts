/**
 * Advisories of the sample project: facts from the GitHub Advisory Database (CC BY 4.0) and RustSec (CC0), with summaries of
 * our own. `modified` is the day of publication, so that a real feed always replaces them.
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

interface Facts {
  readonly published: string;
  readonly summary: string;
  /** CVSS 3.1. */
  readonly vector: string | null;
  readonly affected: ReturnType<typeof affected>;
}

function github(id: string, cve: string | null, label: string, { vector, affected, ...text }: Facts) {
  return {
    id,
    aliases: cve === null ? [] : [cve],
    ...text,
    severity: vector === null ? [] : [{ type: 'CVSS_V3', score: `CVSS:3.1/${vector}` }],
    database_specific: { severity: label },
    affected: [affected],
  };
}

const advisories = [
  github('GHSA-jfh8-c2jp-5v3q', 'CVE-2021-44228', 'CRITICAL', {
    published: '2021-12-10T00:40:56Z',
    summary: 'Log4Shell: a logged string can make Log4j load and run code from a remote server',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.logging.log4j:log4j-core', [
      ['2.13.0', '2.15.0'],
      ['2.0-beta9', '2.3.1'],
      ['2.4', '2.12.2'],
    ]),
  }),
  github('GHSA-36p3-wjmg-h94x', 'CVE-2022-22965', 'CRITICAL', {
    published: '2022-03-31T18:30:50Z',
    summary: 'Spring4Shell: request parameters can reach the class loader and run code',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    affected: affected('Maven', 'org.springframework:spring-beans', [
      ['0', '5.2.20.RELEASE'],
      ['5.3.0', '5.3.18'],
    ]),
  }),
  github('GHSA-599f-7c49-w659', 'CVE-2022-42889', 'CRITICAL', {
    published: '2022-10-13T19:00:17Z',
    summary: 'Commons Text runs scripts and look-ups that an interpolated string names',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.commons:commons-text', [['1.5', '1.10.0']]),
  }),
  github('GHSA-hrpp-h998-j3pp', 'CVE-2022-24999', 'HIGH', {
    published: '2022-11-27T00:30:50Z',
    summary: 'qs: a crafted query string changes prototypes and hangs the process',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    affected: npm('qs', ['6.5.0', '6.5.3']),
  }),
  github('GHSA-2m8v-572m-ff2v', 'CVE-2021-21315', 'HIGH', {
    published: '2021-02-16T16:51:04Z',
    summary: 'systeminformation passes unchecked service names to a shell',
    vector: 'AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
    affected: npm('systeminformation', ['0', '5.3.1']),
  }),
  github('GHSA-f82v-jwr5-mffw', 'CVE-2025-29927', 'CRITICAL', {
    published: '2025-03-21T15:20:12Z',
    summary: 'Next.js: a request header skips the middleware, and so its authorization checks',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    affected: npm('next', ['13.0.0', '13.5.9'], ['14.0.0', '14.2.25'], ['15.0.0', '15.2.3'], ['12.0.0', '12.3.5']),
  }),
  github('GHSA-jf85-cpcp-j695', 'CVE-2019-10744', 'CRITICAL', {
    published: '2019-07-10T19:45:23Z',
    summary: 'lodash defaultsDeep lets input change the prototype of all objects',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H',
    affected: npm('lodash', ['0', '4.17.12']),
  }),
  github('GHSA-35jh-r3h4-6jhm', 'CVE-2021-23337', 'HIGH', {
    published: '2021-05-06T16:05:51Z',
    summary: 'lodash template runs code given through its variable option',
    vector: 'AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H',
    affected: npm('lodash', ['0', '4.17.21']),
  }),
  github('GHSA-f8q6-p94x-37v3', 'CVE-2022-3517', 'HIGH', {
    published: '2022-10-18T12:00:32Z',
    summary: 'minimatch spends exponential time on crafted patterns with braces',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    affected: npm('minimatch', ['0', '3.0.5']),
  }),
  github('GHSA-3xgq-45jj-v275', 'CVE-2024-21538', 'HIGH', {
    published: '2024-11-08T06:30:47Z',
    summary: 'cross-spawn spends quadratic time on escaping crafted arguments',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    affected: npm('cross-spawn', ['7.0.0', '7.0.5'], ['0', '6.0.6']),
  }),
  github('GHSA-wf5p-g6vw-rhxx', 'CVE-2023-45857', 'MODERATE', {
    published: '2023-11-08T21:30:37Z',
    summary: 'axios sends the XSRF token to hosts of other sites',
    vector: 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
    affected: npm('axios', ['1.0.0', '1.6.0'], ['0.8.1', '0.28.0']),
  }),
  github('GHSA-5mrr-rgp6-x4gr', null, 'CRITICAL', {
    published: '2020-09-03T19:39:05Z',
    summary: 'marsdb evaluates query input as code; there is no fixed version',
    vector: null,
    affected: npm('marsdb', ['0.0.0', null]),
  }),
  {
    id: 'RUSTSEC-2021-0139',
    aliases: [],
    published: '2021-08-18T12:00:00Z',
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

/** OSV records, read by the same schema as a feed's. */
export const sampleAdvisories = advisories.map((each) => ({ ...each, modified: each.published }));
