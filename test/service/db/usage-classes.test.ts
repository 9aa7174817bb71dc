import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { continueAssessments } from '../../../src/service/assessment/continue-assessments.js';
import type { Database } from '../../../src/service/db/database.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import { machineVerdict } from '../../../src/verdict/machine-verdict.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

/** What ep-1 made of the same reports: no field of later formulas, and `unused` was not used. */
async function asStoredByEp1(): Promise<void> {
  await database.system(async (tx) => {
    await sql`update verdicts set evidence = jsonb_set(
      evidence #- '{usage,symbols}' #- '{usage,reported}' #- '{usage,searched}' #- '{usage,gaps}' #- '{usage,chain}',
      '{usage,confidence}', '"high"')`.execute(tx);
    const rows = await tx.selectFrom('verdicts').select(['id', 'alert_id', 'evidence', 'override_verdict']).execute();
    for (const { id, alert_id, evidence, override_verdict } of rows) {
      const { score, band } = machineVerdict(evidence, 'ep-1');
      const { epss: _, ...exploit } = evidence.exploit;
      // The text that was signed then: the evidence in the order that the database gives it.
      const signed = JSON.stringify({ ...evidence, exploit, score });
      await tx
        .updateTable('verdicts')
        .set({
          machine_score: score,
          machine_band: band,
          evidence_hash: Buffer.alloc(32),
          override_signature: override_verdict === null ? null : createHash('sha256').update(signed).digest(),
        })
        .where('id', '=', id)
        .execute();
      await tx
        .updateTable('alerts')
        .set({ effective_priority: override_verdict === null ? score : 0 })
        .where('id', '=', alert_id)
        .execute();
    }
    await sql`alter table verdicts drop column formula`.execute(tx);
    await sql`alter table usage_dependencies drop column confidence, drop column gaps, drop column chain,
      drop column symbols_complete, drop column subpaths`.execute(tx);
    await sql`drop table symbol_records`.execute(tx);
    await migrations['0013-usage-classes']?.up(tx);
  });
}

test('verdicts of ep-1 keep its name and values until they are recomputed; what was unused is then unknown', async () => {
  const usages = ['transitive', 'unused', 'tooling', 'reached', 'unused'] as const;
  const names = usages.map(() => unique.packageName());
  const [, , , , raised = ''] = names;
  const cve = unique.cve();
  for (const name of names) {
    const cves = name === raised ? [cve] : [];
    await storeAdvisory(database, name, advisory(unique.advisoryId(), '0', '2.0.0', { severity: 'critical', cves }));
  }
  const project = await projectWithVerdicts(service);
  await project.expose('internet');
  const purls = names.map((name) => `pkg:npm/${name}@1.0.0`);
  await project.sync(...purls);
  await project.upload(report(usages.map((usage, index) => dependency(purls[index] ?? '', usage))));
  const verdicts = async () => {
    const found = await project.verdicts();
    return names.map((name) => found.find((verdict) => verdict.package.name === name));
  };
  for (const index of [1, 2, 4]) {
    const id = (await verdicts())[index]?.id ?? '';
    expect(await project.override(id, { verdict: 'NotExploitable', reason: 'Sandboxed.' })).toMatchObject({
      status: 200,
    });
  }

  await asStoredByEp1();
  const stored = await verdicts();
  expect(stored.map((verdict) => verdict?.machine)).toMatchObject([
    { formula: 'ep-1', usage_factor: 0.5, effective_priority: 32.3 },
    { formula: 'ep-1', usage_factor: 0.1 },
    { formula: 'ep-1', usage_factor: 0.25 },
    { formula: 'ep-1', usage_factor: 1, effective_priority: 64.5 },
    { formula: 'ep-1', usage_factor: 0.1 },
  ]);
  expect(stored[0]?.reasoning).toContain('(ep-1)');
  expect(stored[1]?.override).toMatchObject({ evidence_changed_since_override: false });
  const isAsShown = await database.system((tx) =>
    sql<{ same: SqlBool }>`
      select bool_and(alerts.effective_priority = case when override_verdict is null then machine_score else 0 end) as same
      from verdicts join alerts on alerts.id = verdicts.alert_id`.execute(tx),
  );
  expect(isAsShown.rows).toEqual([{ same: true }]);

  // A fact that changes before the recomputation has begun is a change since the override.
  await database.system((tx) =>
    sql`update alerts set kev_added = '2026-01-02' where package_name = ${raised}`.execute(tx),
  );
  await continueAssessments(database);
  const unused = { class: 'transitive_only', confidence: 'low', searched: false };
  const reason = 'the usage report was made before reports said what their search missed';
  const after = await verdicts();
  expect(after.map((verdict) => verdict?.machine.formula)).toEqual(usages.map(() => 'ep-2'));
  expect(after.map((verdict) => verdict?.evidence.usage)).toMatchObject([
    { class: 'transitive_only', confidence: 'medium' },
    { ...unused, gaps: [reason] },
    { ...unused, gaps: [reason] },
    { class: 'called' },
    unused,
  ]);
  expect(after[0]).toMatchObject({ effective_priority: 38.7, machine: { usage_factor: 0.6 } });
  expect(after.map((verdict) => verdict?.override)).toMatchObject([
    null,
    { verdict: 'NotExploitable', reason: 'Sandboxed.', evidence_changed_since_override: false },
    { verdict: 'NotExploitable', reason: 'Sandboxed.', evidence_changed_since_override: false },
    null,
    { verdict: 'NotExploitable', reason: 'Sandboxed.', evidence_changed_since_override: true },
  ]);
  expect([1, 2, 4].map((index) => after[index]?.effective_priority)).toEqual([0, 0, 0]);

  const written = await project.written();
  await continueAssessments(database);
  expect(await project.written()).toEqual(written);
  const { rows } = await database.system((tx) =>
    sql<{ due: string | null }>`select verdicts_due_after as due from projects where id = ${project.projectId}`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([{ due: null }]);

  // The next report says what it searched.
  await project.upload(report(usages.map((usage, index) => dependency(purls[index] ?? '', usage, { gaps: [] }))));
  expect((await verdicts()).map((verdict) => verdict?.evidence.usage.class)).toEqual([
    'transitive_only',
    'not_used',
    'dev_only',
    'called',
    'not_used',
  ]);
});
