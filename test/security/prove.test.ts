import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { root } from '../support/build.js';
import { startPostern } from '../support/postern.js';

const check = z.object({ name: z.string(), outcome: z.string(), details: z.array(z.string()) });
const report = z.object({ rows: z.array(z.object({ row: z.string(), outcome: z.string(), checks: z.array(check) })) });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-prove-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the program with nothing of this process's settings. Returns how it ended, and its output. */
async function prove(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, [path.join(root, 'prove/run.js'), ...args], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}

test('the short form of the proof tries every row, and everything holds', async () => {
  const file = path.join(folder, 'report.json');
  const { code, output } = await prove('--short', '--json', file);
  const { rows } = report.parse(JSON.parse(await readFile(file, 'utf8')));
  const failed = rows.flatMap(({ row, checks }) =>
    checks.filter(({ outcome }) => outcome === 'failed').map(({ name, details }) => ({ row, name, details })),
  );
  expect(failed).toEqual([]);
  expect(rows.map(({ row, outcome }) => `${row} ${outcome}`)).toEqual(
    Array.from({ length: 10 }, (_, n) => `API${n + 1} held`),
  );
  expect(code, output).toBe(0);
}, 900_000);

test.each([
  { args: ['--url', 'http://127.0.0.1:1'], says: '--url and --key go together' },
  { args: ['--url', 'shop', '--key', 'k'], says: '--url takes http(s)://host[:port]' },
  { args: ['--loud'], says: "Unknown option '--loud'" },
  { args: ['--only', 'matrix,atacks'], says: 'there is no section atacks' },
])('$args ends with 2 and says what is wrong', async ({ args, says }) => {
  const { code, output } = await prove(...args);
  expect(output).toContain(says);
  expect(code).toBe(2);
});

test('against a deployment it holds with a read key, and changes nothing', async () => {
  const postern = await startPostern();
  onTestFinished(postern.close);
  const { readKey, writeKey, admin } = await postern.newOrganisation({ plan: 'Free' });
  const log = async () => (await postern.call(admin.session, 'GET', '/api/org/audit-log')).body;
  const before = await log();
  const args = ['--url', postern.url, '--only', 'exposure,offered,key', '--key'];
  const held = await prove(...args, readKey);
  expect(held.output).toContain('permission matrix');
  expect(held.code, held.output).toBe(0);
  expect(await log()).toEqual(before);
  // A key that may write is not what it was said to be.
  const failed = await prove(...args, writeKey);
  expect(failed.output).toContain('by the given key');
  expect(failed.code).toBe(1);
}, 600_000);
