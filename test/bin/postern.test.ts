import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { clients } from '../clients/connect.js';
import { feedFile, ndjson, osvRecord } from '../service/feeds/feed-files.js';
import { at, textAt } from '../support/at.js';
import { root } from '../support/build.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { answerJson, portOf, startUpstream } from '../support/upstream.js';
import { emptyFolder, folderWithDatabase, startPosternProgram } from './running-postern.js';

/** A first start makes a database and a sample, which takes seconds. */
const patience = { timeout: 600_000 };

const apiKey = z.string().regex(/^postern_live_[0-9a-f]{64}$/);
const firstRun = z.strictObject({
  url: z.url(),
  admin: z.strictObject({ email: z.email(), password: z.string().min(12) }),
  keys: z.strictObject({ read_only: apiKey, read_write: apiKey }),
  project_id: z.string(),
});
const mcpConfiguration = z.strictObject({
  mcpServers: z.strictObject({
    postern: z.strictObject({
      type: z.literal('http'),
      url: z.url(),
      headers: z.strictObject({ Authorization: z.string() }),
    }),
  }),
});

/** The JSON in what a start prints. */
function configurationIn(stdout: string) {
  return mcpConfiguration.parse(JSON.parse(/^\{\n[\s\S]*?\n\}$/m.exec(stdout)?.[0] ?? '')).mcpServers.postern;
}

async function call(url: string, credential: string | null, method: string, rest: string, body?: unknown) {
  const response = await fetch(`${url}${rest}`, {
    method,
    headers: {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const readFirstRun = async (dataDir: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));

describe('the first start on an empty folder', patience, () => {
  test('prints how to connect and where the credentials are, and both are right; the second has kept all', async () => {
    const dataDir = path.join(await emptyFolder(), 'made/by/itself');
    const begun = performance.now();
    const first = startPosternProgram({ DATA_DIR: dataDir });
    const url = await first.ready();
    process.stdout.write(`  ready after ${Math.round(performance.now() - begun)} ms\n`);

    const run = firstRun.parse(await readFirstRun(dataDir));
    expect(run.url).toBe(url);
    for (const file of ['first-run.json', 'jwt.key', 'operator.key', 'secrets.key']) {
      expect((await stat(path.join(dataDir, file))).mode & 0o777, file).toBe(0o600);
    }
    const secrets = [run.admin.password, run.keys.read_only, run.keys.read_write];
    expect(first.stdout()).toContain(path.join(dataDir, 'first-run.json'));
    for (const secret of secrets) expect(first.stdout()).not.toContain(secret);

    const session = await call(url, null, 'POST', '/api/session', run.admin);
    expect(session.status).toBe(200);
    expect((await call(url, textAt(session.body, 'token'), 'GET', '/api/org/api-keys')).status).toBe(200);
    const alerts = await call(url, run.keys.read_only, 'GET', `/api/projects/${run.project_id}/alerts?page_size=100`);
    const bands = new Set([at(alerts.body, 'items')].flat().map((alert) => at(alert, 'band')));
    expect([...bands].sort()).toEqual([
      'known_exploited',
      'likely_exploitable',
      'likely_not_exploitable',
      'needs_review',
    ]);
    expect((await call(url, run.keys.read_only, 'POST', '/api/projects', { name: 'kept' })).status).toBe(403);
    expect((await call(url, run.keys.read_write, 'POST', '/api/projects', { name: 'kept' })).status).toBe(200);

    const configuration = configurationIn(first.stdout());
    expect(configuration).toMatchObject({ url: `${url}/mcp`, headers: { Authorization: 'Bearer <API key>' } });
    const headers = { Authorization: `Bearer ${run.keys.read_only}` };
    for (const [, connect] of clients) {
      const way = { transport: 'HTTP', url: new URL(configuration.url), headers } as const;
      const client = await connect(way);
      const answer = await client.callTool({ name: 'get_project', arguments: { project_id: run.project_id } });
      expect(answer).toMatchObject({ structuredContent: { id: run.project_id } });
      await client.close();
    }

    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.stderr()).toBe('');

    const second = startPosternProgram({ DATA_DIR: dataDir });
    const again = await second.ready();
    for (const secret of [run.admin.email, ...secrets]) expect(second.stdout()).not.toContain(secret);
    expect(configurationIn(second.stdout()).headers.Authorization).toBe('Bearer <API key>');
    const { body } = await call(again, run.keys.read_only, 'GET', '/api/projects');
    expect([at(body, 'items')].flat().map((project) => at(project, 'name'))).toContain('kept');
    expect(await call(again, textAt(session.body, 'token'), 'GET', '/api/session')).toMatchObject({ status: 200 });
    expect(await readFirstRun(dataDir)).toEqual(run);
    second.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  test('is ready for a balancer only when the keys are there', async () => {
    const dataDir = await folderWithDatabase();
    const port = await freePort();
    const postern = startPosternProgram({ DATA_DIR: dataDir, PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    const statuses = new Set<unknown>();
    await eventually(async () => {
      const { status, body } = await call(url, null, 'GET', '/readyz');
      statuses.add(at(body, 'status'));
      expect(status).toBe(200);
    });
    const { keys } = firstRun.parse(await readFirstRun(dataDir));
    expect((await call(url, keys.read_only, 'GET', '/api/projects')).status).toBe(200);
    expect([...statuses][0]).toBe('starting');
    postern.kill('SIGTERM');
    expect(await postern.ended).toBe(0);
  });

  test('with POSTERN_SAMPLE=false makes an organisation with an admin and nothing else', async () => {
    const dataDir = await emptyFolder();
    const postern = startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' });
    const url = await postern.ready();
    const run = z.strictObject({ url: z.url(), admin: firstRun.shape.admin }).parse(await readFirstRun(dataDir));
    expect(postern.stdout()).not.toContain(run.admin.password);
    expect(configurationIn(postern.stdout()).headers.Authorization).toBe('Bearer <API key>');
    const session = await call(url, null, 'POST', '/api/session', run.admin);
    const token = textAt(session.body, 'token');
    for (const list of ['/api/projects', '/api/org/api-keys', '/api/org/invites']) {
      expect((await call(url, token, 'GET', list)).body, list).toMatchObject({ total: 0 });
    }
    expect((await call(url, token, 'GET', '/api/org/members')).body).toMatchObject({ total: 1 });
    const key = await call(url, token, 'POST', '/api/org/api-keys', { name: 'first', scope: 'ReadOnly' });
    expect((await call(url, textAt(key.body, 'key'), 'GET', '/api/org')).status).toBe(200);
  });
});

test('on a terminal the first start shows the credentials, and a configuration with a key', patience, async () => {
  const dataDir = await emptyFolder();
  const program = path.join(root, 'dist/postern.js');
  // util-linux's `script` gives the program a terminal.
  const child = spawn('script', ['-qec', `${process.execPath} ${program}`, '/dev/null'], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  await eventually(() => expect(shown).toContain('MCP configuration'));
  const run = firstRun.parse(await readFirstRun(dataDir));
  await eventually(() => expect(shown).toContain(`Bearer ${run.keys.read_only}`));
  for (const each of [run.admin.email, run.admin.password, run.keys.read_write]) expect(shown).toContain(each);
});

test('`postern reset-password` lets an admin in again, beside a running server and without one', patience, async () => {
  const env = { DATA_DIR: await folderWithDatabase(), POSTERN_SAMPLE: 'false' };
  const tokenOf = async () => {
    const reset = startPosternProgram(env, 'reset-password', 'admin@sample.invalid');
    expect([await reset.ended, reset.stderr()]).toEqual([0, '']);
    return /postern_reset_[\w-]{43}/.exec(reset.stdout())?.[0] ?? '';
  };
  const first = startPosternProgram(env);
  const url = await first.ready();
  const password = 'chosen beside the server';
  const token = await tokenOf();
  expect((await call(url, null, 'POST', '/api/session/password-reset', { token, password })).status).toBe(200);
  const session = { email: 'admin@sample.invalid', password };
  expect((await call(url, null, 'POST', '/api/session', session)).status).toBe(200);
  const unknown = startPosternProgram(env, 'reset-password', 'nobody@sample.invalid');
  expect([await unknown.ended, unknown.stderr()]).toEqual([
    1,
    'postern reset-password: nobody signs in with this address\n',
  ]);
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const later = await tokenOf();
  const second = startPosternProgram(env);
  const body = { token: later, password: 'chosen without one' };
  expect((await call(await second.ready(), null, 'POST', '/api/session/password-reset', body)).status).toBe(200);
});

test(
  '`postern prove` says whose a domain or an address is, beside a running server and without one',
  patience,
  async () => {
    const env = { DATA_DIR: await folderWithDatabase(), POSTERN_SAMPLE: 'false' };
    const run = async (...words: string[]) => {
      const program = startPosternProgram(env, 'prove', ...words);
      return { code: await program.ended, out: program.stdout(), err: program.stderr() };
    };
    const server = startPosternProgram(env);
    const url = await server.ready();
    const admin = z
      .object({ email: z.string(), password: z.string() })
      .parse(at(await readFirstRun(env.DATA_DIR), 'admin'));
    const session = textAt((await call(url, null, 'POST', '/api/session', admin)).body, 'token');
    const id = textAt((await call(url, session, 'GET', '/api/org')).body, 'id');
    const proofs = async () => [
      at((await call(url, session, 'GET', '/api/org/domains')).body, 'items.0.proven_by'),
      at((await call(url, session, 'GET', '/api/org/members')).body, 'items.0.proven_by'),
    ];
    const domain = { code: 0, out: `acme.example is a domain of ${id} from now on.\n`, err: '' };
    expect(await run(id, 'ACME.example')).toEqual(domain);
    expect(await run(id, admin.email)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${admin.email} is the`),
    });
    expect(await proofs()).toEqual(['operator', 'operator']);
    const unknown = 'postern prove: there is no such organisation, or no such member in it\n';
    const neither =
      'postern prove: https://acme.example is neither a domain such as acme.example nor an e-mail address\n';
    const refusals = async () => [
      await run('org_unknown', 'acme.example'),
      await run(id, 'nobody@acme.example'),
      await run(id, 'https://acme.example'),
    ];
    const refused = [unknown, unknown, neither].map((err) => ({ code: 1, out: '', err }));
    expect(await refusals()).toEqual(refused);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await run(id, 'acme.example')).toEqual(domain);
    expect(await run(id, admin.email)).toMatchObject({ code: 0 });
    expect(await refusals()).toEqual(refused);
  },
);

describe('a data folder', patience, () => {
  test('that cannot be used is named with its variable', async () => {
    const postern = startPosternProgram({ DATA_DIR: '/dev/null/postern' });
    expect(await postern.ended).toBe(1);
    expect(postern.stderr()).toContain('DATA_DIR: /dev/null/postern cannot be used: a part of the path is a file.');
    expect(postern.stdout()).toBe('');
  });

  test('is refused to a second process, which says who has it', async () => {
    const env = { DATA_DIR: await folderWithDatabase(), POSTERN_SAMPLE: 'false' };
    const first = startPosternProgram(env);
    const url = await first.ready();
    const second = startPosternProgram(env);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toContain(`in use by process ${first.pid}`);
    expect(second.stderr()).toContain(url);
    expect(second.stdout()).toBe('');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('keeps through kill -9 what was acknowledged over HTTP', async () => {
    const dataDir = await folderWithDatabase();
    let token = '';
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const postern = startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' });
      const url = await postern.ready();
      if (round === 0) {
        const { admin } = z.object({ admin: firstRun.shape.admin }).parse(await readFirstRun(dataDir));
        token = textAt((await call(url, null, 'POST', '/api/session', admin)).body, 'token');
      }
      expect(await namesOf(url, token), `round ${round}`).toEqual(expect.arrayContaining(acknowledged));
      const enough = acknowledged.length + 20;
      // Four writers at once, so that some write is on its way when the process is killed.
      const writer = async (number: number) => {
        for (let made = 0; ; made++) {
          const name = `${round}-${number}-${made}`;
          const { status } = await call(url, token, 'POST', '/api/projects', { name });
          if (status === 200) acknowledged.push(name);
          if (acknowledged.length >= enough) postern.kill('SIGKILL');
        }
      };
      const writers = await Promise.allSettled([0, 1, 2, 3].map(writer));
      expect(writers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
      expect(await postern.ended).toBe('SIGKILL');
    }
    const last = startPosternProgram({ DATA_DIR: dataDir });
    expect(await namesOf(await last.ready(), token)).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
  });

  async function namesOf(url: string, token: string): Promise<unknown[]> {
    const names: unknown[] = [];
    for (let page = 1; ; page++) {
      const { body } = await call(url, token, 'GET', `/api/projects?page_size=100&page=${page}`);
      names.push(...[at(body, 'items')].flat().map((project) => at(project, 'name')));
      if (at(body, 'has_more') !== true) return names;
    }
  }
});

describe('SIGTERM', patience, () => {
  test('lets a running request finish, takes no new one, and ends with 0', async () => {
    const dataDir = await folderWithDatabase();
    const postern = startPosternProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const url = await postern.ready();
    const { keys } = firstRun.parse(await readFirstRun(dataDir));
    const running = request(`${url}/api/projects`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.read_write}`,
        'content-type': 'application/json',
        expect: '100-continue',
        'transfer-encoding': 'chunked',
      },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      running.once('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      running.once('error', reject);
    });
    // The server has taken the request once it asks for the body.
    await new Promise<void>((resolve) => running.once('continue', resolve).flushHeaders());
    postern.kill('SIGTERM');
    await eventually(() => expect(postern.stdout()).toContain('stopping'));
    await eventually(() => expect(fetch(`${url}/healthz`)).rejects.toThrow());
    running.end(JSON.stringify({ name: 'made while stopping' }));
    expect(await answered).toBe(200);
    expect(await postern.ended).toBe(0);
    expect(postern.stdout()).toContain('"outcome":"finished"');

    const again = startPosternProgram({ DATA_DIR: dataDir });
    const { body } = await call(await again.ready(), keys.read_only, 'GET', '/api/projects');
    expect(JSON.stringify(body)).toContain('made while stopping');
  });
});

describe('settings', patience, () => {
  test('with SERVICE_API_URL the gateway runs alone: no folder, no /api', async () => {
    const upstream = await startUpstream((res) => answerJson(res, 401, {}));
    try {
      const dataDir = path.join(await emptyFolder(), 'none');
      const postern = startPosternProgram({ DATA_DIR: dataDir, SERVICE_API_URL: upstream.url });
      const url = await postern.ready();
      expect(postern.stdout()).toContain(upstream.url);
      expect(postern.stdout()).toContain(`Dashboard   ${url}`);
      const page = await fetch(url, { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Postern</title>')]);
      await expect(stat(dataDir)).rejects.toThrow('ENOENT');
      const api = await fetch(`${url}/api/org`);
      expect([api.status, api.headers.get('content-type')]).toEqual([404, expect.stringMatching(/^application\/json/)]);
      expect(at(await api.json(), 'error.message')).toBe('there is nothing at this address');
      expect(await (await fetch(`${url}/mcp/health`)).text()).toBe('ok');
      const trpc = await fetch(`${url}/trpc/organisation.get`, { headers: { authorization: 'Bearer k' } });
      expect(trpc.status).toBe(401);
      expect(upstream.seen.map((seen) => seen.url)).toEqual(['/api/org']);
      for (const none of ['/openapi.json', '/docs']) expect((await fetch(url + none)).status).toBe(404);
      postern.kill('SIGTERM');
      expect(await postern.ended).toBe(0);
    } finally {
      await upstream.close();
    }
  });

  test('ALLOWED_ORIGINS and ALLOWED_HOSTS let other pages and names in', async () => {
    const upstream = await startUpstream((res) => answerJson(res, 401, {}));
    try {
      const origin = 'https://app.example.com';
      const allowed = { ALLOWED_ORIGINS: origin, ALLOWED_HOSTS: 'postern.default.svc' };
      const url = await startPosternProgram({ ...allowed, SERVICE_API_URL: upstream.url }).ready();
      const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };
      for (const door of ['/trpc/organisation.get', '/mcp'])
        expect((await fetch(url + door, preflight)).status).toBe(204);
      const statusFor = async (host: string) => {
        const asked = request(`${url}/trpc/organisation.get`, { headers: { host } }).end();
        const [answer] = await once(asked, 'response');
        return answer.resume().statusCode;
      };
      expect([await statusFor('postern.default.svc'), await statusFor('postern.other.svc')]).toEqual([401, 403]);
    } finally {
      await upstream.close();
    }
  });

  test.each([
    ['PORT', 'ninety'],
    ['PORT', '70000'],
    ['SERVICE_API_URL', 'ftp://example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['JWT_SECRET', 'too short to sign with'],
    ['JWT_SECRET', `${'a'.repeat(40)},too short a key`],
    ['SECRETS_KEY', 'too short a key'],
    ['GATEWAY_SECRET', 'too short a secret'],
    ['OPERATOR_KEY', 'too short'],
    ['POSTERN_SAMPLE', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s: ends with 2, names the variable and does not repeat the value', async (name, value) => {
    const postern = startPosternProgram({ DATA_DIR: await emptyFolder(), [name]: value });
    expect(await postern.ended).toBe(2);
    expect(postern.stderr()).toContain(name);
    expect(postern.stderr()).not.toContain(value);
    expect(postern.stdout()).toBe('');
  });

  test('a port that is taken: ends with 1 and says so; the folder is free again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await eventually(() => expect(other.listening).toBe(true));
      const env = { DATA_DIR: await folderWithDatabase(), POSTERN_SAMPLE: 'false' };
      const postern = startPosternProgram({ ...env, PORT: String(portOf(other.address())) });
      expect(await postern.ended).toBe(1);
      expect(postern.stderr()).toContain('the port is in use: stop who has it, or set PORT');
      await startPosternProgram(env).ready();
    } finally {
      other.close();
    }
  });

  test('an unknown command or option ends with an error', async () => {
    expect(await startPosternProgram({}, 'dance').ended).toBe(1);
    expect(await startPosternProgram({}, '--dance').ended).toBe(1);
  });

  test('a `feeds load` beside the running server is done by that server', async () => {
    const env = { DATA_DIR: await folderWithDatabase(), POSTERN_SAMPLE: 'false' };
    await startPosternProgram(env).ready();
    const { path: file } = await feedFile('mine.ndjson', ndjson([osvRecord({ id: 'TEST-1' })]));
    const load = startPosternProgram(env, 'feeds', 'load', '--osv', file);
    expect([await load.ended, load.stdout()]).toEqual([0, 'osv:mine.ndjson of 2025-01-02: 1 added\n']);
    const status = startPosternProgram(env, 'feeds', 'status');
    expect(await status.ended).toBe(0);
    expect(status.stdout()).toContain('osv:mine.ndjson');
  });
});
