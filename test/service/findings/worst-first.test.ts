import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { newScannedProject } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('new findings are written in the order in which lists have them, so their ids ascend there', async () => {
  const project = await newScannedProject(service);
  const levels = ['note', 'error', 'warning'];
  const rules = ['R3', 'R1', 'R2', 'R4'];
  const mixed = Array.from({ length: 24 }, (_, n) =>
    result(n + 1, { level: levels[n % 3], ruleId: rules[n % 4] }, `src/${'hgfedcba'[n % 8]}${n}.ts`),
  );
  await project.uploadSarif(sarif(run(mixed)));
  const { items } = await project.codeFindings();
  const ids = items.map(({ id }) => id);
  expect(ids).toHaveLength(24);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(items.map(({ severity }) => severity)).size).toBe(3);
});
