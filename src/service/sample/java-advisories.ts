import { affected, github } from './advisory-facts.js';

export const javaAdvisories = [
  github('GHSA-jfh8-c2jp-5v3q', 'CVE-2021-44228', 'CRITICAL', {
    cwes: ['CWE-20', 'CWE-400', 'CWE-502', 'CWE-917'],
    published: '2021-12-10T00:40:56Z',
    summary: 'Log4Shell: a logged string can make Log4j load and run code from a remote server',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.logging.log4j:log4j-core', [
      ['2.13.0', '2.15.0'],
      ['2.0-beta9', '2.3.1'],
      ['2.4', '2.12.2'],
    ]),
  }),
  github('GHSA-7rjr-3q55-vv33', 'CVE-2021-45046', 'CRITICAL', {
    cwes: ['CWE-502', 'CWE-917'],
    published: '2021-12-14T18:01:28Z',
    summary: 'The first fix of Log4Shell was incomplete: thread context look-ups still load code',
    vector: 'AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.logging.log4j:log4j-core', [
      ['2.13.0', '2.16.0'],
      ['0', '2.12.2'],
    ]),
  }),
  github('GHSA-p6xc-xr62-6r2g', 'CVE-2021-45105', 'HIGH', {
    cwes: ['CWE-20', 'CWE-674'],
    published: '2021-12-18T18:00:07Z',
    summary: 'Log4j follows a look-up that names itself without end, and the process dies',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:H',
    affected: affected('Maven', 'org.apache.logging.log4j:log4j-core', [
      ['2.4.0', '2.12.3'],
      ['2.13.0', '2.17.0'],
      ['0', '2.3.1'],
    ]),
  }),
  github('GHSA-8489-44mv-ggj8', 'CVE-2021-44832', 'MODERATE', {
    cwes: ['CWE-20', 'CWE-74'],
    published: '2022-01-04T16:14:20Z',
    summary: 'Who can change Log4j’s configuration can make its JDBC appender load remote code',
    vector: 'AV:N/AC:H/PR:H/UI:N/S:U/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.logging.log4j:log4j-core', [
      ['2.0-beta7', '2.3.2'],
      ['2.4', '2.12.4'],
      ['2.13.0', '2.17.1'],
    ]),
  }),
  github('GHSA-36p3-wjmg-h94x', 'CVE-2022-22965', 'CRITICAL', {
    cwes: ['CWE-74', 'CWE-94'],
    published: '2022-03-31T18:30:50Z',
    summary: 'Spring4Shell: request parameters can reach the class loader and run code',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    affected: affected('Maven', 'org.springframework:spring-beans', [
      ['0', '5.2.20.RELEASE'],
      ['5.3.0', '5.3.18'],
    ]),
  }),
  github('GHSA-hh26-6xwr-ggv7', 'CVE-2022-22970', 'HIGH', {
    published: '2022-05-13T00:00:28Z',
    summary: 'Spring: an uploaded file bound to a model object can exhaust the server',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    affected: affected('Maven', 'org.springframework:spring-beans', [
      ['0', '5.2.22.RELEASE'],
      ['5.3.0', '5.3.20'],
    ]),
  }),
  github('GHSA-599f-7c49-w659', 'CVE-2022-42889', 'CRITICAL', {
    cwes: ['CWE-94'],
    published: '2022-10-13T19:00:17Z',
    summary: 'Commons Text runs scripts and look-ups that an interpolated string names',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    affected: affected('Maven', 'org.apache.commons:commons-text', [['1.5', '1.10.0']]),
  }),
];
