import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { type Result, result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A run in a folder, with one finding or none. */
function ranIn(uri: string | undefined, uriOfFinding: string | null, more: Result = {}) {
  const found = uriOfFinding === null ? [] : [result(1, {}, uriOfFinding)];
  return sarif(run(found, { ...(uri !== undefined && { invocations: [{ workingDirectory: { uri } }] }), ...more }));
}

describe('runs of one tool in different folders', () => {
  test('fix only what they looked at', async () => {
    const { uploadSarif, codeFindings } = await newScannedProject(service);
    await uploadSarif(ranIn('file:///ci/shop/frontend', 'frontend/a.ts'));
    expect((await uploadSarif(ranIn('file:///ci/shop/backend', 'backend/b.ts'))).findings).toMatchObject({
      new: 1,
      fixed: 0,
    });
    const again = await uploadSarif(ranIn('file:///ci/shop/frontend', null));
    expect(again).toMatchObject({ findings: { fixed: 1 }, note: expect.stringMatching(/^1 open findings/) });
    expect((await codeFindings()).items).toMatchObject([{ file: 'backend/b.ts' }]);
    expect((await uploadSarif(ranIn('file:///ci/shop/backend', null))).findings).toMatchObject({ fixed: 1 });
  });

  test('are told apart below the checkout, wherever that is', async () => {
    const { uploadSarif } = await newScannedProject(service);
    const at = (root: string, folder: string, finding: string | null) =>
      ranIn(`${root}${folder}`, finding, {
        originalUriBaseIds: { ROOT: { uri: root } },
        versionControlProvenance: [{ repositoryUri: 'https://example.com/shop', mappedTo: { uriBaseId: 'ROOT' } }],
      });
    await uploadSarif(at('file:///home/ada/shop/', 'frontend', 'frontend/a.ts'));
    expect((await uploadSarif(at('file:///ci/9/', 'backend', null))).findings).toMatchObject({ fixed: 0 });
    expect((await uploadSarif(at('file:///ci/9/', 'frontend', null))).findings).toMatchObject({ fixed: 1 });
  });

  test.each([
    ['file:///home/vsts/work/1/s', 'file:///home/vsts/work/2/s'],
    ['file:///var/jenkins/workspace/shop', 'file:///var/jenkins/workspace/shop/'],
    ['file:///tmp/tmpab12/src', 'file:///tmp/tmpzz99/src'],
    [undefined, 'file:///ci/shop'],
    ['file:///ci/shop', undefined],
  ])('are the same where only the machine differs: %s and %s', async (first, second) => {
    const { uploadSarif } = await newScannedProject(service);
    await uploadSarif(ranIn(first, 'src/a.ts'));
    expect((await uploadSarif(ranIn(second, null))).findings).toMatchObject({ fixed: 1 });
  });

  test('take a finding with them when they move', async () => {
    const { uploadSarif } = await newScannedProject(service);
    await uploadSarif(ranIn('file:///old/shop', 'src/a.ts'));
    expect((await uploadSarif(ranIn('file:///new/shop', 'src/a.ts'))).findings).toMatchObject({ unchanged: 1 });
    expect((await uploadSarif(ranIn('file:///new/shop', null))).findings).toMatchObject({ fixed: 1 });
  });

  test('that form a circle of bases, or name something odd, are read', async () => {
    const { uploadSarif } = await newScannedProject(service);
    const circle = { A: { uri: 'a', uriBaseId: 'B' }, B: { uri: 'b', uriBaseId: 'A' } };
    const odd = sarif(
      run([result(1)], {
        originalUriBaseIds: circle,
        invocations: [{ workingDirectory: { uri: 'x', uriBaseId: 'A' } }],
      }),
    );
    expect((await uploadSarif(odd)).findings).toMatchObject({ new: 1 });
  });
});

test('an older report of a tool, uploaded later, neither fixes nor reopens', async () => {
  const { uploadSarif, codeFindings } = await newScannedProject(service);
  const ended = (endTimeUtc: string, ...uris: string[]) =>
    sarif(
      run(
        uris.map((uri) => result(1, {}, uri)),
        { invocations: [{ endTimeUtc }] },
      ),
    );
  await uploadSarif(ended('2026-01-01T00:00:00Z', 'a.ts', 'b.ts'));
  await uploadSarif(ended('2026-01-03T00:00:00Z', 'a.ts'));
  const older = await uploadSarif(ended('2026-01-02T00:00:00Z', 'b.ts'));
  expect(older.findings).toMatchObject({ total: 1, new: 0, reopened: 0, fixed: 0, unchanged: 1 });
  expect(older.note).toMatch(/a newer report/);
  expect((await codeFindings()).items).toMatchObject([{ file: 'a.ts' }]);
});

test('a run that did not succeed fixes nothing, and says so', async () => {
  const { uploadSarif } = await newScannedProject(service);
  await uploadSarif(sarif(run([result(1)])));
  const failed = await uploadSarif(sarif(run([], { invocations: [{ executionSuccessful: false }] })));
  expect(failed).toMatchObject({ findings: { fixed: 0 }, note: expect.stringMatching(/^nothing was fixed/) });
});

test('findings are listed by tier, severity, rule and file, not by when they came', async () => {
  const { uploadSarif, codeFindings } = await newScannedProject(service);
  const at = (ruleId: string, level: string, uri: string) => result(1, { ruleId, level }, uri);
  await uploadSarif(sarif(run([at('Z', 'error', 'a.ts'), at('B', 'error', 'z.ts'), at('M', 'note', 'a.ts')])));
  await uploadSarif(sarif(run([at('B', 'error', 'a.ts')], { tool: { driver: { name: 'Other' } } })));
  const listed = (await codeFindings()).items.map(({ rule_id, file }) => `${rule_id} ${file}`);
  expect(listed).toEqual(['B a.ts', 'B z.ts', 'Z a.ts', 'M a.ts']);
});
