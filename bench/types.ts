/**
 * What the types of the client cost the compiler of a frontend: instantiations, types, memory and the time of the check, by
 * TypeScript 5.9, 6 and 7, beside a router of one procedure written by hand. The package is installed in an empty folder by npm.
 * `--against old.tgz` measures another package too (`/download/postern.tgz` of an older server); medians of `--rounds`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageArchive } from '../src/gateway/download/package-archive.js';
import { median } from './support/measure.js';
import { buildPostern } from './support/postern-program.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } } });

const byHand = `
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import type { TRPCBuiltRouter, TRPCQueryProcedure } from '@trpc/server';
type Alerts = { items: { id: string; title: string }[]; total: number };
type List = TRPCQueryProcedure<{ input: { project_id: string }; output: Alerts; meta: unknown }>;
type Router = TRPCBuiltRouter<{ ctx: object; meta: object; errorShape: { message: string; code: number; data: object }; transformer: false }, { alerts: { list: List } }>;
const client = createTRPCClient<Router>({ links: [httpBatchStreamLink({ url: '/trpc' })] });
export const first: Promise<string | undefined> = client.alerts.list.query({ project_id: 'p' }).then((page) => page.items[0]?.id);
`;

const ofPostern = (calls: string) => `
import { createPosternClient, type RouterOutputs } from '@posternhq/postern/client';
const client = createPosternClient();
type Alert = RouterOutputs['alerts']['list']['items'][number];
export const first: Promise<Alert | undefined> = client.alerts.list.query({ project_id: 'p' }).then((page) => page.items[0]);
${calls}
`;
const tenCalls = `export const more = [
  client.organisation.get.query().then(({ created_at }) => created_at.getTime()),
  client.projects.create.mutate({ name: 'shop' }).then(({ revision }) => revision),
  client.sast.listFindings.query({ project_id: 'p' }).then(({ items }) => items[0]?.id),
  client.containers.listImages.query({ project_id: 'p' }).then(({ total }) => total),
  client.reachability.listVerdicts.query({ project_id: 'p' }).then(({ items }) => items[0]?.evidence),
  client.techStack.list.query({ project_id: 'p' }).then(({ items }) => items[0]?.health),
  client.posture.getSummary.query().then(({ worst }) => worst[0]),
  client.remediation.plan.query({ project_id: 'p' }),
  client.uploads.list.query({ project_id: 'p' }).then(({ items }) => items[0]?.received_at),
];`;

const compilers = ['5.9.3', '6.0.3', '7.0.2'];

const folder = mkdtempSync(path.join(tmpdir(), 'postern-bench-types-'));
try {
  const archive = path.join(folder, 'postern.tgz');
  writeFileSync(archive, (await packageArchive(buildPostern())).bytes);
  const packages = { now: archive, ...(values.against !== undefined && { before: path.resolve(values.against) }) };
  for (const [name, file] of Object.entries(packages)) {
    const cwd = install(name, file);
    console.log(`\n${name === 'now' ? 'this package' : values.against}`);
    printRow(['program', 'TypeScript', 'instantiations', 'types', 'memory', 'check', 'in all']);
    const programs = { 'one procedure by hand': byHand, 'one call': ofPostern(''), 'ten calls': ofPostern(tenCalls) };
    for (const [title, program] of Object.entries(programs)) {
      writeFileSync(path.join(cwd, 'program.ts'), program);
      for (const version of compilers) measureProgram(cwd, title, version);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(name: string, file: string): string {
  const cwd = path.join(folder, name);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}');
  const typescripts = compilers.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, file, ...typescripts], { cwd });
  // As Vite's template for TypeScript has it, where libraries are not checked.
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: true, noEmit: true, types: [], target: 'es2023' },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
  };
  writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return cwd;
}

function measureProgram(cwd: string, title: string, version: string): void {
  const tsc = path.join(cwd, `node_modules/typescript-${version}/bin/tsc`);
  const runs = Array.from({ length: Number(values.rounds) }, () => {
    const { stdout, status } = spawnSync(process.execPath, [tsc, '--extendedDiagnostics'], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    return stdout;
  });
  const figure = (name: string) =>
    median(runs.map((text) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(text)?.[1])));
  printRow([
    ...[title, version, String(figure('Instantiations')), String(figure('Types'))],
    `${(figure('Memory used') / 1024).toFixed(0)} MB`,
    ...[figure('Check time'), figure('Total time')].map((seconds) => `${seconds.toFixed(2)} s`),
  ]);
}

function printRow([title = '', ...cells]: readonly string[]): void {
  console.log([title.padEnd(24), ...cells.map((cell) => cell.padStart(15))].join(''));
}
