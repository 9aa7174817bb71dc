import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject, reportText } from '../findings/scanned-project.js';
import { type Result, result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const rule = (id: string, level: string): Result => ({ id, defaultConfiguration: { level } });
const rules = [rule('E1', 'error'), rule('E2', 'error'), rule('W1', 'warning'), rule('W2', 'warning')];
const found = (ruleId: string, line: number) => result(line, { ruleId });
const all = [found('E1', 1), found('E2', 2), found('W1', 3), found('N1', 4)];
const withLevels = [
  result(1, { ruleId: 'E1', level: 'error' }),
  result(2, { ruleId: 'E2', level: 'error' }),
  result(3, { ruleId: 'W1', level: 'warning' }),
];

/** Uploads reports in turn. Answers what the last one changed, and what is open. */
async function uploadEach(...reports: readonly unknown[]) {
  const { uploadSarif, codeFindings } = await newScannedProject(service);
  let last: Awaited<ReturnType<typeof uploadSarif>> | undefined;
  for (const report of reports) last = await uploadSarif(report);
  const open = (await codeFindings('&state=open')).items.map(({ rule_id }) => rule_id).sort();
  return { fixed: last?.findings.fixed, reopened: last?.findings.reopened, note: last?.note, open };
}

describe('a run that lists the rules that it ran', () => {
  const whole = sarif(run(all, {}, [...rules, rule('N1', 'note')]));

  test('fixes nothing of another rule whose level none of these has', async () => {
    const errors = sarif(run([found('E1', 1)], {}, rules.slice(0, 2)));
    const { fixed, note, open } = await uploadEach(whole, errors);
    expect([fixed, open]).toEqual([1, ['E1', 'N1', 'W1']]);
    expect(note).toMatch(/^2 open findings .* Scan without a filter$/);
    expect(await uploadEach(whole, errors, whole)).toMatchObject({ fixed: 0, reopened: 1, note: null });
  });

  test('fixes all where it found nothing, and what a rule found that is gone while others of its level ran', async () => {
    expect(await uploadEach(whole, sarif(run([], {}, [...rules, rule('N1', 'note')])))).toMatchObject({
      fixed: 4,
      open: [],
    });
    const without = rules.filter(({ id }) => id !== 'W1');
    expect(await uploadEach(whole, sarif(run([], {}, [...without, rule('N2', 'note')])))).toMatchObject({ open: [] });
  });

  test('fixes what its rules no longer find, whatever the level of the finding', async () => {
    const noted = result(5, { ruleId: 'E1', level: 'note' });
    expect(await uploadEach(sarif(run([noted], {}, rules)), sarif(run([], {}, rules)))).toMatchObject({ open: [] });
  });

  test('says nothing by a list of those with results alone', async () => {
    const { open } = await uploadEach(whole, sarif(run([found('E1', 1)], {}, rules.slice(0, 1))));
    expect(open).toEqual(['E1']);
  });

  test('counts together with other runs of its tool', async () => {
    const parts = sarif(run([], {}, rules.slice(0, 2)), run([], {}, [...rules.slice(2), rule('N1', 'note')]));
    expect(await uploadEach(whole, parts)).toMatchObject({ fixed: 4, open: [] });
  });
});

describe('a run whose command line filters by severity', () => {
  const whole = sarif(run(withLevels));
  test.each([
    [{ arguments: ['scan', '--severity', 'ERROR'] }],
    [{ arguments: ['scan', '--min-severity=high'] }],
    [{ commandLine: 'snyk code test --sarif --severity-threshold=high' }],
    [{ commandLine: 'trivy fs --severity HIGH,CRITICAL .' }],
  ])('fixes nothing that is less severe: %j', async (invocation) => {
    const one = sarif(run(withLevels.slice(0, 1), { invocations: [invocation] }));
    expect(await uploadEach(whole, one)).toMatchObject({ fixed: 1, open: ['E1', 'W1'] });
    const none = sarif(run([], { invocations: [invocation] }));
    expect(await uploadEach(whole, none)).toMatchObject({ fixed: 2, open: ['W1'] });
  });

  test.each([
    [{ arguments: ['scan', '--fail-on-severity', 'error'] }],
    [{ commandLine: 'checker --log-level error' }],
    [{ commandLine: 'checker --severity' }],
    [{ arguments: ['--severity', 'low'] }],
  ])('another option leaves nothing out: %j', async (invocation) => {
    expect(await uploadEach(whole, sarif(run([], { invocations: [invocation] })))).toMatchObject({
      fixed: 3,
      open: [],
    });
  });
});

test('a SARIF report of Trivy, which does not write its filter, fixes nothing below what it shows', async () => {
  const trivy = (results: readonly Result[]) => sarif({ tool: { driver: { name: 'Trivy', rules: [] } }, results });
  expect(await uploadEach(trivy(withLevels), trivy(withLevels.slice(0, 1)))).toMatchObject({
    fixed: 1,
    open: ['E1', 'W1'],
  });
  expect(await uploadEach(trivy(withLevels), trivy([]))).toMatchObject({ fixed: 0 });
});

test.skipIf(!hasData)('a real report of Semgrep, then the same of ERROR alone: no warning is fixed', async () => {
  const whole = JSON.parse(reportText('sarif/semgrepowasp-benchmark-sample.sarif'));
  const [first] = whole.runs;
  const { driver } = first.tool;
  const errors = driver.rules.filter(
    (each: { defaultConfiguration: { level: string } }) => each.defaultConfiguration.level === 'error',
  );
  const ids = new Set(errors.map(({ id }: { id: string }) => id));
  const results = first.results.filter(({ ruleId }: { ruleId: string }) => ids.has(ruleId));
  const filtered = { ...whole, runs: [{ ...first, tool: { driver: { ...driver, rules: errors } }, results }] };
  expect(await uploadEach(whole, filtered)).toMatchObject({ fixed: 0 });
  expect(await uploadEach(whole, filtered, { ...whole, again: true })).toMatchObject({
    fixed: 0,
    reopened: 0,
    note: null,
  });
});
