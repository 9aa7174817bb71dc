import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import {
  emptyFolder,
  folderWithDatabase,
  type RunningPostern,
  startPosternProgram,
} from '../../bin/running-postern.js';
import { at, textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { portOf } from '../../support/upstream.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('a sink by https is not tested: openssl is not installed');

async function newProject(running: RunningPostern, dataDir: string, name: string): Promise<number> {
  const url = await running.ready();
  const run: unknown = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
  const { status } = await fetch(`${url}/api/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${textAt(run, 'keys.read_write')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return status;
}

const entriesIn = (lines: string) =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

/** A receiver by https until the test is over, with a certificate of its own. */
async function startHttpsReceiver() {
  const folder = await emptyFolder();
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes'];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...algorithm, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const received: { readonly token: string | undefined; readonly body: string }[] = [];
  const state = { isAway: true };
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, async (req, res) => {
    const body = await text(req);
    if (!state.isAway) received.push({ token: req.headers.authorization, body });
    res.writeHead(state.isAway ? 503 : 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://localhost:${portOf(server.address())}/audit/path`, cert, received, state };
}

test.skipIf(!hasOpenssl)(
  'entries outlive the program that wrote them and was killed, and no log names the sink’s token or path',
  async () => {
    const receiver = await startHttpsReceiver();
    const dataDir = await folderWithDatabase();
    const env = {
      ...{ DATA_DIR: dataDir, AUDIT_SINK: receiver.url, AUDIT_SINK_TOKEN: 'hunter2' },
      ...{ NODE_EXTRA_CA_CERTS: receiver.cert, LOG_LEVEL: 'debug' },
    };
    const first = startPosternProgram(env);
    expect(await newProject(first, dataDir, 'before the end')).toBe(200);
    await eventually(() => expect(first.stdout()).toContain('it answered HTTP 503'));
    first.kill('SIGKILL');
    await first.ended;

    receiver.state.isAway = false;
    const second = startPosternProgram(env);
    expect(await newProject(second, dataDir, 'after it')).toBe(200);
    const names = () =>
      receiver.received.flatMap(({ body }) => entriesIn(body)).map((entry) => at(entry, 'after.name'));
    await eventually(() => expect(names()).toEqual(expect.arrayContaining(['before the end', 'after it'])));
    const actions = receiver.received.flatMap(({ body }) => entriesIn(body)).map((entry) => at(entry, 'action'));
    expect(actions[0], 'the first start of all').toBe('organisation.create');
    expect(receiver.received.every(({ token }) => token === 'Bearer hunter2')).toBe(true);
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    for (const log of [first.stdout(), first.stderr(), second.stdout(), second.stderr()]) {
      expect(log).not.toContain('hunter2');
      expect(log).not.toContain('/audit/path');
    }
  },
);

test('on the standard output there are entries alone, a line each; the log and the welcome are on stderr', async () => {
  const dataDir = await folderWithDatabase();
  const running = startPosternProgram({ DATA_DIR: dataDir, AUDIT_SINK: 'stdout', LOG_LEVEL: 'info' });
  expect(await newProject(running, dataDir, 'Shop')).toBe(200);
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  const entries = entriesIn(running.stdout());
  expect(entries[0]).toMatchObject({ action: 'organisation.create', organisation_id: expect.stringMatching(/^org_/) });
  expect(entries.at(-1)).toMatchObject({ action: 'project.create', after: { name: 'Shop' }, device: 'node' });
  expect(running.stderr()).toContain('Postern is ready at');
  expect(running.stderr()).toContain('"procedure":"projects.create"');
});
