import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report } from './report.js';

let service: TestService;
let project: JudgedProject;
const [cve, other] = [unique.cve(), unique.cve()];
const letters = '23456789cfghjmpqrvwx';
const block = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
const ghsa = `GHSA-${block()}-${block()}-${block()}`;
const withoutCve = `PYSEC-2021-${randomInt(1e12)}`;
const alias = `SNYK-JS-LODASH-${randomInt(1e12)}`;

beforeAll(async () => {
  service = await startService();
  project = await projectWithVerdicts(service);
  const names = [unique.packageName(), unique.packageName()] as const;
  await storeAdvisory(service.database, names[0], advisory(ghsa, '0', '2.0.0', { cves: [cve, other] }));
  await storeAdvisory(service.database, names[1], advisory(withoutCve, '0', '2.0.0'));
  await service.database.system((tx) =>
    tx
      .updateTable('advisories')
      .set({ aliases: [alias] })
      .where('id', '=', ghsa)
      .execute(),
  );
  const purls = names.map((name) => `pkg:npm/${name}@1.0.0`);
  await project.sync(...purls);
  await project.upload(report(purls.map((purl) => dependency(purl, 'reached'))));
});
afterAll(() => service.close());

const found = async (id: string) =>
  (await project.verdicts(`&cve=${encodeURIComponent(id)}`)).map(({ advisory_ids: [first] }) => first);

test('a CVE, an advisory’s id and an alias find the verdict, in any case', async () => {
  for (const id of [cve, other, ghsa, alias]) {
    for (const spelling of [id, id.toLowerCase(), id.toUpperCase(), ` ${id} `]) {
      expect(await found(spelling), spelling).toEqual([ghsa]);
    }
  }
  expect(await found(withoutCve.toLowerCase())).toEqual([withoutCve]);
  expect(await found('CVE-1999-0001')).toEqual([]);
});

test.each(['', ' ', 'junk', 'log4j vulnerability', '44228', 'CVE-', "CVE-2021-1' or 1=1"])(
  '%j is refused',
  async (id) => {
    const { status, body } = await service.call(
      project.organisation.readKey,
      'GET',
      `${project.verdictsPath}?cve=${encodeURIComponent(id)}`,
    );
    expect({ status, error: at(body, 'errors') }).toEqual({
      status: 422,
      error: [
        {
          field: 'cve',
          message: expect.stringMatching(/^is the id of a vulnerability, such as CVE-2021-44228, GHSA-/),
        },
      ],
    });
  },
);
