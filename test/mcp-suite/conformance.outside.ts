import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, startPosternProgram } from '../bin/running-postern.js';
import { type Absence, baseline2025, baseline2026 } from './baseline.js';
import { runSuite, runTool } from './run-suite.js';

interface Suite {
  readonly name: 'conformance-2025' | 'conformance-2026';
  readonly args: readonly string[];
  readonly baseline: readonly Absence[];
}

const suites: readonly Suite[] = [
  { name: 'conformance-2025', args: [], baseline: baseline2025 },
  { name: 'conformance-2026', args: ['--spec-version', '2026-07-28'], baseline: baseline2026 },
];

async function startPostern(): Promise<string> {
  return startPosternProgram({ DATA_DIR: await emptyFolder() }).ready();
}

test.each(suites)('$name: nothing fails but what needs something that this server does not have', async (suite) => {
  const { scenarios, passed, failed, totals } = await runSuite(
    suite.name,
    `${await startPostern()}/mcp`,
    await emptyFolder(),
    ...suite.args,
  );
  const known = suite.baseline.flatMap(({ checks }) => checks);
  const unexpected = [...failed].filter(([check]) => !known.includes(check));
  const ofBaseline = failed.size - unexpected.length;
  const failing = new Set([...failed.keys()].map((check) => path.dirname(check)));
  console.log(
    `${suite.name}: ${scenarios - failing.size} of ${scenarios} scenarios pass whole;`,
    `checks: ${passed} passed, ${ofBaseline} of the baseline, ${unexpected.length} failed`,
  );
  expect(unexpected).toEqual([]);
  expect(
    known.filter((check) => !failed.has(check)),
    'these no longer fail: take them out of the baseline',
  ).toEqual([]);
  expect({ passed, failed: failed.size }, 'the checks read are those that the suite counts').toEqual(totals);
  expect(passed).toBeGreaterThan(0);
});

test('the Inspector lists the tools and finds no error in their schemas', async () => {
  const url = `${await startPostern()}/mcp`;
  const inspector = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
  const { code, stdout, stderr } = await runTool(inspector, '--cli', url, '--method', 'tools/list', '--strict');
  const [count] = stderr.match(/\d+ errors?, \d+ warnings? across \d+ tools?/) ?? [];
  console.log(`inspector --strict: ${count ?? 'nothing to say'}`);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"list_alerts"');
});
