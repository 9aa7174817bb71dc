import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { node22 } from '../support/node-22.js';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this folder's packages, by its file below node_modules, with a home of its own to write to. */
export async function runTool(file: string, ...args: string[]): Promise<ProgramResult> {
  const node = await node22();
  const home = await mkdtemp(path.join(tmpdir(), 'postern-suite-'));
  const child = spawn(node, [path.join(import.meta.dirname, 'node_modules', file), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await rm(home, { recursive: true, force: true });
  return { code: child.exitCode, stdout, stderr };
}

const checks = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);

export interface SuiteResult {
  readonly scenarios: number;
  readonly passed: number;
  /** What failed, as `scenario/check`, with the suite's words. */
  readonly failed: ReadonlyMap<string, string>;
  /** The suite's own totals, so that nothing it counts is overlooked. */
  readonly totals: { readonly passed: number; readonly failed: number };
}

/** Runs a conformance suite against an MCP endpoint and reads what each check came to from the files that it writes. */
export async function runSuite(
  name: 'conformance-2025' | 'conformance-2026',
  url: string,
  outputFolder: string,
  ...args: string[]
): Promise<SuiteResult> {
  const options = ['server', '--url', url, '--suite', 'all', '--output-dir', outputFolder, ...args];
  const { stdout, stderr } = await runTool(`${name}/dist/index.js`, ...options);
  const [, passes, failures] = /^Total: (\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
  if (passes === undefined || failures === undefined) throw new Error(`${name} gave no total: ${stdout}${stderr}`);
  const folders = await readdir(outputFolder);
  const failed = new Map<string, string>();
  let passed = 0;
  for (const folder of folders) {
    const [, scenario = folder] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
    const file = path.join(outputFolder, folder, 'checks.json');
    for (const { id, status, errorMessage } of checks.parse(JSON.parse(await readFile(file, 'utf8')))) {
      if (status === 'SUCCESS') passed += 1;
      if (status === 'FAILURE') failed.set(`${scenario}/${id}`, errorMessage ?? '');
    }
  }
  return { scenarios: folders.length, passed, failed, totals: { passed: Number(passes), failed: Number(failures) } };
}
