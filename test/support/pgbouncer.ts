import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { documentedConfig } from './documented-config.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** Why tests through pgbouncer are skipped; undefined where Debian's (or another) is installed. */
export const noPgbouncer: string | undefined =
  spawnSync('pgbouncer', ['--version']).status === 0 ? undefined : 'pgbouncer is not installed';

/**
 * A pgbouncer before a database until the test is over, by the documented example but for its authentication and its size.
 * Answers the database's address through it.
 *
 * @param connections to the server, however many clients there are
 */
export async function startPgbouncer(databaseUrl: string, { connections = 2 } = {}): Promise<string> {
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  const [folder, port] = [await mkdtemp(path.join(tmpdir(), 'postern-pgbouncer-')), await freePort()];
  const users = path.join(folder, 'userlist.txt');
  const config = documentedConfig('ini', [
    [
      'postern = host=10.0.0.20 port=5432 dbname=postern',
      `${name} = host=${server.hostname} port=${server.port || 5432}`,
    ],
    ['10.0.0.15', '127.0.0.1'],
    ['6432', String(port)],
    ['scram-sha-256', 'trust'],
    ['/etc/pgbouncer/userlist.txt', users],
    ['default_pool_size = 20', `default_pool_size = ${connections}\nunix_socket_dir =`],
  ]);
  await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(file, config);
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...asOther, file], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true });
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  server.host = `127.0.0.1:${port}`;
  return server.href;
}
