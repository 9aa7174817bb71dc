import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { codeOfError } from '../../src/shared/errors/code-of-error.js';
import { documentedConfig } from './documented-config.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** Debian keeps the programs of each version in a folder of its own. */
const debian = '/usr/lib/postgresql';
const folders = [
  ...(existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : []),
  ...(process.env['PATH'] ?? '').split(path.delimiter),
];
const programs = folders.find((each) =>
  ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(path.join(each, name))),
);

/** Why tests with a standby are skipped; undefined where the programs of a PostgreSQL server are installed. */
export const noStandby: string | undefined =
  programs === undefined ? 'initdb, postgres and pg_basebackup are not installed' : undefined;

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const asOther = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server of the test's own. */
export interface TestCluster {
  /** Its address for a database. */
  readonly url: (database: string) => string;
  /** One statement as superuser. */
  readonly run: (statement: string, database?: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly start: () => Promise<void>;
  /** Without a word to its clients. */
  readonly kill: () => Promise<void>;
  /** It no longer answers, with all connections open, until `resume`. */
  readonly freeze: () => void;
  readonly resume: () => void;
  /** Stops it and removes its files. */
  readonly close: () => Promise<void>;
}

export async function startPrimary(): Promise<TestCluster> {
  const folder = await newFolder();
  runOnce('initdb', [
    '-D',
    path.join(folder, 'data'),
    '-U',
    'postern',
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ]);
  return startIn(folder, []);
}

/** A streaming standby of a primary, made and set as docs/beyond-one-machine.md says. */
export async function startStandby(primary: TestCluster): Promise<TestCluster> {
  const folder = await newFolder();
  const command = documentedConfig('sh', [
    ['postgres://replicator:password@10.0.0.20:5432/postgres', primary.url('postgres')],
    ['/var/lib/postgresql/15/main', path.join(folder, 'data')],
  ]);
  const [program = '', ...args] = command.trim().split(/\s+/);
  runOnce(program, args);
  const settings = documentedConfig('conf', []).trim().split('\n');
  return startIn(
    folder,
    settings.flatMap((each) => ['-c', each.replace(/\s*=\s*/, '=')]),
  );
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-cluster-'));
  if (asOther.uid !== undefined) await chown(folder, asOther.uid, asOther.gid);
  return folder;
}

function runOnce(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(path.join(programs ?? '', program), args, {
    ...asOther,
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}

async function startIn(folder: string, options: readonly string[]): Promise<TestCluster> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const url = (database: string) => `postgres://postern:secret-of-tests@127.0.0.1:${port}/${database}`;
  const all = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `port=${port}`,
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
  ];

  async function run(statement: string, database = 'postgres') {
    const client = new pg.Client({ connectionString: url(database) });
    // A server that is killed breaks the connection.
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(statement);
      return rows;
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const started = spawn(
      path.join(programs ?? '', 'postgres'),
      ['-D', path.join(folder, 'data'), ...all, ...options],
      {
        ...asOther,
        cwd: tmpdir(),
        stdio: 'ignore',
      },
    );
    server = started;
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}`);
      await run('select 1');
    });
  }

  function signal(name: NodeJS.Signals): void {
    const { pid } = server ?? {};
    if (pid === undefined) return;
    for (const each of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(each, name);
      } catch (error) {
        // A process for one connection may have ended since they were listed.
        if (codeOfError(error) !== 'ESRCH') throw error;
      }
    }
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    signal('SIGCONT');
    // Immediate shutdown: the server ends its processes, and waits for nothing.
    server.kill('SIGQUIT');
    await gone;
  }

  await start();
  return {
    url,
    run,
    start,
    kill,
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server's processes for connections and its own work. Each is in a session of its own, so no signal to a group reaches them. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The command's name stands in parentheses and may have spaces.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return null;
  }
}
