import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { dependency, report } from '../reachability/report.js';
import { type ExportedProject, exportedProject } from './exported-project.js';
import { faultsOf } from './strict-validator.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await freshAdvisories(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

const today = () => new Date().toISOString().slice(0, 10);

/** A project with one vulnerable package of the given use. */
async function withOne(usage: 'unused' | 'reached' | 'none', ruling?: { verdict: string; reason: string }) {
  const project = await exportedProject(service);
  const found = await project.vulnerable();
  await project.sync(found.purl);
  if (usage !== 'none') await project.upload(report([dependency(found.purl, usage)]));
  if (ruling !== undefined) {
    const [verdict] = await project.verdicts();
    const answer = await project.override(verdict?.id ?? '', ruling);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
  return { ...project, ...found };
}

async function exported(project: ExportedProject) {
  const [document, vex] = [await project.document('?vex=true'), await project.openVex()];
  expect(await faultsOf(document)).toBeNull();
  expect(await project.summary('?vex=true')).toMatchObject({ vulnerabilities: at(document, 'vulnerabilities.length') });
  return { vulnerability: at(document, 'vulnerabilities.0'), statement: at(vex, 'statements.0'), vex };
}

test('a vulnerability with its source, rating, advisories and component', async () => {
  const project = await withOne('none');
  const { vulnerability } = await exported(project);
  const { cve, advisoryId, purl } = project;
  expect(vulnerability).toMatchObject({
    id: cve,
    source: { name: 'NVD', url: `https://nvd.nist.gov/vuln/detail/${cve}` },
    references: [{ id: advisoryId, source: { name: 'GHSA', url: `https://github.com/advisories/${advisoryId}` } }],
    ratings: [
      {
        source: { name: 'GHSA' },
        score: 7.5,
        severity: 'high',
        method: 'CVSSv31',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
      },
    ],
    recommendation: `Update to 2.0.0: no advisory of ${today()} or before affects it. Nothing shows that it was published.`,
    analysis: { state: 'in_triage' },
    affects: [{ ref: purl }],
  });
  expect(JSON.stringify(at(vulnerability, 'properties'))).not.toContain('ep:');
});

test('an OpenVEX document of the project', async () => {
  const project = await withOne('none');
  const { vex } = await exported(project);
  expect(vex).toMatchObject({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': expect.stringMatching(/^urn:uuid:/),
    author: expect.stringMatching(/^organisation /),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    version: 1,
    statements: [
      {
        vulnerability: { name: project.cve, aliases: [project.advisoryId] },
        products: [{ '@id': `urn:postern:project:${project.projectId}`, subcomponents: [{ '@id': project.purl }] }],
        status: 'under_investigation',
      },
    ],
  });
  expect(await project.openVex()).toEqual(vex);
});

describe('a machine verdict alone', () => {
  test.each(['unused', 'reached', 'none'] as const)('never exports not_affected (%s)', async (usage) => {
    const project = await withOne(usage);
    const { vulnerability, statement } = await exported(project);
    expect(at(vulnerability, 'analysis')).toEqual({ state: 'in_triage' });
    expect(at(statement, 'status')).toBe('under_investigation');
    expect(JSON.stringify([vulnerability, statement])).not.toContain('not_affected');
  });

  test('is written as properties', async () => {
    const project = await withOne('unused');
    const [verdict] = await project.verdicts();
    const { vulnerability } = await exported(project);
    expect(at(vulnerability, 'properties')).toEqual(
      expect.arrayContaining([
        { name: 'ep:formula', value: 'ep-2' },
        { name: 'ep:machine_score', value: String(verdict?.machine.effective_priority) },
        { name: 'ep:machine_band', value: 'likely_not_exploitable' },
        { name: 'ep:usage', value: 'not_used' },
      ]),
    );
  });
});

describe('an override', () => {
  test.each([
    ['unused', 'code_not_reachable', 'vulnerable_code_not_in_execute_path'],
    ['reached', 'requires_environment', undefined],
  ] as const)('NotExploitable of a package that is %s', async (usage, justification, openVex) => {
    const project = await withOne(usage, { verdict: 'NotExploitable', reason: 'sandboxed <b>' });
    const { vulnerability, statement } = await exported(project);
    expect(at(vulnerability, 'analysis')).toEqual({ state: 'not_affected', justification, detail: 'sandboxed <b>' });
    expect(statement).toMatchObject({ status: 'not_affected', impact_statement: 'sandboxed <b>' });
    expect(at(statement, 'justification')).toBe(openVex);
    expect(textAt(statement, 'timestamp')).toMatch(/Z$/);
  });

  test('Exploitable', async () => {
    const project = await withOne('unused', { verdict: 'Exploitable', reason: 'a plugin calls it' });
    const { vulnerability, statement } = await exported(project);
    expect(at(vulnerability, 'analysis')).toEqual({
      state: 'exploitable',
      response: ['update'],
      detail: 'a plugin calls it',
    });
    expect(statement).toMatchObject({
      status: 'affected',
      action_statement: expect.stringMatching(`^Update ${project.name} to 2.0.0: no advisory of ${today()} or before `),
      status_notes: 'a plugin calls it',
    });
  });
});

describe('a version to go to', () => {
  test('is said without doubt where it was published', async () => {
    const project = await withOne('none');
    await project.syncAll([{ purl: `pkg:npm/${project.name}@2.0.0` }], 'other');
    const { vulnerability } = await exported(project);
    expect(at(vulnerability, 'recommendation')).toBe(
      `Update to 2.0.0: no advisory of ${today()} or before affects it.`,
    );
  });

  test('is not proposed by advisories of more than 7 days ago', async () => {
    const setAge = (days: number) =>
      service.database.system((tx) =>
        sql`update feeds set published_at = now() - make_interval(days => ${days})`.execute(tx),
      );
    onTestFinished(async () => {
      await setAge(0);
    });
    const project = await withOne('unused', { verdict: 'Exploitable', reason: 'a plugin calls it' });
    const before = await exported(project);
    await setAge(8);
    const { vulnerability, statement } = await exported(project);
    expect(vulnerability).not.toHaveProperty('recommendation');
    expect(at(statement, 'action_statement')).toMatch(/is called safe: the advisories are over 7 days old/);
    expect(at(before.vulnerability, 'recommendation')).toMatch(/^Update to 2\.0\.0/);
  });
});

test('what is known to be exploited says so where a member has ruled it not exploitable', async () => {
  const project = await exportedProject(service);
  const found = await project.vulnerable();
  await service.database.system((tx) =>
    tx
      .insertInto('kev')
      .values({ cve: found.cve, date_added: '2026-01-02', due_date: null, ransomware: false })
      .execute(),
  );
  await project.sync(found.purl);
  await project.upload(report([dependency(found.purl, 'unused')]));
  const [verdict] = await project.verdicts();
  await project.override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'sandboxed' });
  const { vulnerability, statement } = await exported(project);
  expect(at(vulnerability, 'properties')).toContainEqual({ name: 'postern:kev_date_added', value: '2026-01-02' });
  expect(statement).toMatchObject({
    status: 'not_affected',
    impact_statement: 'sandboxed',
    status_notes: "Known to be exploited: in CISA's KEV since 2026-01-02.",
  });
});

test('a resolved alert is resolved, at the version that is there now, or at the project where there is none', async () => {
  const project = await withOne('unused', { verdict: 'NotExploitable', reason: 'sandboxed' });
  const newer = `pkg:npm/${project.name}@2.0.0`;
  await project.sync(newer);
  const upgraded = await exported(project);
  expect(upgraded.vulnerability).toMatchObject({ analysis: { state: 'resolved' }, affects: [{ ref: newer }] });
  expect(upgraded.vulnerability).not.toHaveProperty('recommendation');
  expect(upgraded.statement).toMatchObject({ status: 'fixed', products: [{ subcomponents: [{ '@id': newer }] }] });
  await project.sync();
  const removed = await exported(project);
  expect(removed.vulnerability).toMatchObject({ affects: [{ ref: `project:${project.projectId}` }] });
  expect(at(removed.statement, 'products.0.subcomponents')).toBeUndefined();
});
