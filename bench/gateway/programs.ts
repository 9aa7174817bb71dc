import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { startPostern } from '../support/postern-program.js';
import { type StartedProgram, startProgram } from '../support/started-program.js';

const folder = path.resolve('bench/peers');
// Inside the folder, so that packages are looked for there first and then among Postern's own.
const bundled = path.join(folder, 'node_modules/.cache/postern-bench');

const peers = ['proxy', 'fastmcp', 'sdk-1', 'sdk-2', 'trpc'] as const;
export type Program = (typeof peers)[number] | 'postern';

/** Installs the peers' packages and bundles their programs, because Node 20 does not run TypeScript. */
export async function buildPrograms(): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', '--prefix', folder, ...quiet]);
  run('npx', ['tsc', '--project', folder]);
  const bundle = await rolldown({
    cwd: process.cwd(),
    input: {
      ...Object.fromEntries(peers.map((name) => [name, path.join(folder, `${name}.ts`)])),
      upstream: 'bench/gateway/upstream.ts',
    },
    platform: 'node',
    external: /^(?!\.|\/)/,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await bundle.write({
    dir: bundled,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stdout}${stderr}`);
}

export interface Programs {
  readonly servers: Readonly<Record<Program, StartedProgram>>;
  close(): Promise<void>;
}

/** Starts the upstream and every subject, each in a process of its own. Postern is the build of the given checkout. */
export async function startPrograms(checkout: string, dataDir: string): Promise<Programs> {
  const started: StartedProgram[] = [];
  const keep = async (starting: Promise<StartedProgram>) => {
    const program = await starting;
    started.push(program);
    return program;
  };
  const close = async () => {
    for (const program of started.toReversed()) await program.close();
  };
  const bundledProgram = (name: string, env: Readonly<Record<string, string>>) =>
    keep(startProgram({ args: [path.join(bundled, `${name}.mjs`)], env, cwd: bundled }));
  try {
    const upstream = await bundledProgram('upstream', {});
    const peer = (name: (typeof peers)[number]) => bundledProgram(name, { UPSTREAM_URL: upstream.url });
    const servers = {
      postern: await keep(startPostern(checkout, dataDir, { SERVICE_API_URL: upstream.url })),
      proxy: await peer('proxy'),
      fastmcp: await peer('fastmcp'),
      'sdk-1': await peer('sdk-1'),
      'sdk-2': await peer('sdk-2'),
      trpc: await peer('trpc'),
    };
    return { servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}
