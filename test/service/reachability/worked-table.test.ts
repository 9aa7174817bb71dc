import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { loadSampleIntelligence } from '../../../src/service/sample/load-intelligence.js';
import { effectivePriority } from '../../../src/verdict/formula.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report, type WireDependency } from './report.js';

let database: Database;
let service: TestService;
let folder: string;
beforeAll(async () => {
  database = await ownDatabase();
  folder = await mkdtemp(join(tmpdir(), 'postern-table-'));
  await loadSampleIntelligence(database, folder);
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** CVE, package; called, imported, imported and internal, and the classes below it (verdicts, "Worked examples"). */
const worked = [
  ['CVE-2021-44228', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', [100, 85, 75, 70, 60, 40, 35, 20]],
  ['CVE-2021-21315', 'pkg:npm/systeminformation@5.2.0', [85, 75, 75, 70, 60, 40, 35, 20]],
  ['CVE-2025-29927', 'pkg:npm/next@14.1.0', [93, 79, 59, 65, 56, 28, 23, 9]],
  ['CVE-2019-10744', 'pkg:npm/lodash@4.17.11', [73, 62, 47, 51, 44, 22, 18, 7]],
  ['CVE-2021-23337', 'pkg:npm/lodash@4.17.11', [55, 47, 35, 39, 33, 17, 14, 6]],
  ['CVE-2022-3517', 'pkg:npm/minimatch@3.0.4', [55, 47, 35, 38, 33, 16, 14, 6]],
  ['CVE-2024-21538', 'pkg:npm/cross-spawn@7.0.3', [45, 39, 29, 32, 27, 14, 11, 5]],
] as const;

const columns: readonly [reported: WireDependency['usage'], exposure: string][] = [
  ['reached', 'internet'],
  ['imported', 'internet'],
  ['imported', 'internal'],
  ['loaded', 'internet'],
  ['transitive', 'internet'],
  ['not_loaded', 'internet'],
  ['tooling', 'internet'],
  ['unused', 'internet'],
];

describe('the worked examples, from uploaded reports', () => {
  let project: JudgedProject;
  const purls = [...new Set(worked.map(([, purl]) => purl))];
  beforeAll(async () => {
    project = await projectWithVerdicts(service);
    await project.sync(...purls);
  });

  test.each(columns.map(([usage, exposure], place) => ({ usage, exposure, place })))(
    '$usage, $exposure',
    async ({ usage, exposure, place }) => {
      const tiers = (await project.written()).alerts.map(({ id, tier }) => [id, tier]);
      await project.expose(exposure);
      const answer = await project.upload(report(purls.map((purl) => dependency(purl, usage))));
      expect(answer.status).toBe(200);
      const verdicts = await project.verdicts();
      const scores = worked.map(([cve]) =>
        Math.round(verdicts.find((verdict) => verdict.cve === cve)?.effective_priority ?? -1),
      );
      expect(scores).toEqual(worked.map(([, , expected]) => expected[place]));
      expect((await project.written()).alerts.map(({ id, tier }) => [id, tier])).toEqual(tiers);
      // Whoever holds a verdict computes its score again from the verdict's own evidence.
      for (const { evidence, machine } of verdicts) {
        const { usage: used, exploit, exposure: declared } = evidence;
        const again = effectivePriority({
          usage: used.class,
          cvssScore: exploit.cvss?.score ?? null,
          severity: exploit.severity,
          epss: exploit.epss?.probability ?? null,
          kev: exploit.kev !== null,
          attackVector: exploit.attack_vector,
          exposure: declared,
        });
        expect(again.score).toBe(machine.effective_priority);
      }
    },
  );

  test('verdicts and alerts stand in the order of EffectivePriority, known exploited ones in a band of their own', async () => {
    await project.expose('internet');
    await project.upload(report(purls.map((purl) => dependency(purl, 'imported'))));
    const verdicts = await project.verdicts();
    const scores = verdicts.map(({ effective_priority }) => effective_priority);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(verdicts.filter(({ band }) => band === 'known_exploited').map(({ cve }) => cve)).toEqual([
      'CVE-2021-44228',
      'CVE-2021-45046',
      'CVE-2021-21315',
    ]);
    const { body } = await service.call(project.organisation.readKey, 'GET', `${project.path}/alerts`);
    expect(body).toMatchObject({ items: verdicts.map(({ cve, band, id }) => ({ cve, band, verdict: { id } })) });
    const [kev] = verdicts;
    expect(kev?.reasoning).toContain('in KEV since 2021-12-10');
    expect(kev?.evidence.exploit).toMatchObject({
      epss: { model: 'v2025.03.14', date: '2025-08-15' },
      kev_catalogue: '2025-08-25',
    });
  });

  test('the filter by CVE and by band gives those alone', async () => {
    expect((await project.verdicts('&cve=CVE-2019-10744')).map(({ cve }) => cve)).toEqual(['CVE-2019-10744']);
    expect((await project.verdicts('&band=known_exploited')).map(({ band }) => band)).toEqual(
      Array.from({ length: 3 }, () => 'known_exploited'),
    );
    expect(await project.verdicts('&cve=CVE-1999-0001')).toEqual([]);
  });
});
