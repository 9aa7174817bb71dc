import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as grammars from '../../../src/shared/text/grammars.js';
import { dataFile, hasData } from '../../support/data.js';
import { mark, payloads } from '../../support/planted.js';

const real = {
  isVersion: [
    ...['1.0.0', 'v0.0.0-20190308221718-c2843e01d9a2', '1.0.4-gitspaces-beta.0.20250808064055-21c5ce42ae13'],
    ...['4.1.2-0.20171013141717-ee57a5829ab1+incompatible', '1:2.30.2-1+deb11u2', '2.36-9+deb12u4', '0:1.8.9p5-4.el9'],
    ...[
      '2.9.10.8.redhat-00001',
      '356.va_90a_94ca_62ec',
      'Finchley.SR2',
      '31.1-jre',
      '2.0.0.Final',
      'dev-master',
      '1!2.0'.slice(2),
    ],
    ...[
      '1.2.11.dfsg-4.1+b1',
      '3.0~rc1-2ubuntu0.22.04.1',
      '1.0.0-alpha.1+exp.sha.5114f85',
      '2021a_1',
      '5.10.0-8^20210903git',
    ],
  ],
  isFixedVersion: ['11.0.14, 10.1.49, 9.0.112', '>=4.17.5', '1.2.3', '3.2.2, 4.4.14, 5.0.6, 6.1.1'],
  isVersionRange: ['^1.2.0', '>=1 <2 || ^3', 'workspace:*', 'npm:other@^1', '~> 2.0', '[1.0,2.0)', '*', '==1.0.*'],
  isAdvisoryId: [
    'CVE-2021-44228',
    'GHSA-jfh8-c2jp-5v3q',
    'SNYK-JS-LODASH-590103',
    'RHSA-2021:5132',
    'TEMP-0841856-B18BAF',
    'DLA-3325-1',
  ],
  isCwe: ['CWE-79'],
  isDigest: [`sha256:${'ab'.repeat(32)}`, 'ab'.repeat(32)],
  isCvssVector: [
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    'AV:N/AC:L/Au:N/C:P/I:P/A:P',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A',
  ],
  isWord: ['deb', 'GET', 'high', 'v2025.03.14', '10055-4', 'node-pkg'],
  isIpAddress: ['127.0.0.1', '::1', '2001:db8::1'],
} as const satisfies Partial<Record<keyof typeof grammars, readonly string[]>>;

describe.each(Object.entries(real))('%s', (name, texts) => {
  const fits = Object.entries(grammars).find(([each]) => each === name)?.[1];
  test.each(texts)('takes %s', (text) => expect(fits?.(text)).toBe(true));
  test('takes nothing that is planted', () => expect(payloads.filter((text) => fits?.(text))).toEqual([]));
});

test.each([
  'lodash',
  '@scope/name',
  'org.apache.logging.log4j:log4j-core',
  'github.com/a/b/v2',
  'zope.interface',
  'libstdc++6',
])('%s is the name of a package', (name) => expect(grammars.isPackageName(name)).toBe(true));

test('names, images and addresses are none with spaces, quotes or controls', () => {
  for (const fits of [
    grammars.isPackageName,
    grammars.isPackageCoordinate,
    grammars.isImageRef,
    grammars.isWebAddress,
  ]) {
    for (const text of payloads.filter((each) => /[\s"'<>\p{Cc}]/u.test(each))) expect(fits(text), text).toBe(false);
  }
  expect(grammars.isWebAddress(`https://example.com/${mark}`)).toBe(true);
  expect(grammars.isWebAddress('https://user:password@example.com/')).toBe(false);
  expect(grammars.isWebAddress('javascript:alert(1)')).toBe(false);
});

describe.runIf(hasData)('of real data', () => {
  test.each(['ghsa-npm', 'ghsa-maven', 'ghsa-pypi', 'go-vulndb', 'rustsec', 'osv-npm-recent'])(
    'every version and name of %s fits',
    (file) => {
      const lines = readFileSync(dataFile(`osv/${file}.ndjson`), 'utf8').split('\n');
      const [versions, names, ids] = [new Set<string>(), new Set<string>(), new Set<string>()];
      for (const line of lines.filter((each) => each !== '')) {
        const { id, affected = [] } = JSON.parse(line);
        ids.add(id);
        for (const { package: named, versions: listed = [], ranges = [] } of affected) {
          names.add(named.name);
          for (const version of listed) versions.add(version);
          for (const { type, events } of ranges)
            for (const event of type === 'GIT' ? [] : events) versions.add(String(Object.values(event)[0]));
        }
      }
      expect([...versions].filter((version) => !grammars.isVersion(version))).toEqual([]);
      expect([...names].filter((name) => !grammars.isPackageName(name))).toEqual([]);
      expect([...ids].filter((each) => !grammars.isAdvisoryId(each))).toEqual([]);
    },
  );

  test('every installed and fixed version of the scans fits, but the ranges of npm audit with ||', () => {
    const texts = { installed: new Set<string>(), fixed: new Set<string>() };
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, each] of Object.entries(value)) {
        if (name === 'InstalledVersion') texts.installed.add(String(each));
        else if (name === 'FixedVersion') texts.fixed.add(String(each));
        else visit(each);
      }
    };
    for (const name of ['dd-scheme_2_many_vulns', 'scb-juice-shop-v12.10.2', 'dd-cvssv4_severity_source'])
      visit(JSON.parse(readFileSync(dataFile(`trivy/${name}.json`), 'utf8')));
    expect(texts.installed.size).toBeGreaterThan(50);
    expect([...texts.installed].filter((version) => !grammars.isVersion(version))).toEqual([]);
    expect([...texts.fixed].filter((version) => !grammars.isFixedVersion(version))).toEqual([]);
  });
});
