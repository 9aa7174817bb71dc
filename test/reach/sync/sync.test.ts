import { once } from 'node:events';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { procedures } from '../../../src/procedures/index.js';
import { folderWith } from '../folder.js';
import { recordingService, type ScriptedAnswer } from '../recording-service.js';
import { key, runReach } from '../run-reach.js';

const lock = (packages: Record<string, unknown>) =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies: { a: '1' } }, ...packages } });

const files = {
  'package-lock.json': lock({
    'node_modules/a': { version: '1.0.0', deprecated: 'use c' },
    'node_modules/b': { version: '2.0.0', dev: true },
    'node_modules/a/node_modules/b': { version: '2.0.0' },
    'node_modules/own': { link: true, resolved: 'own' },
  }),
};

const result = {
  source: 'package-lock.json',
  added: 1200,
  updated: 1,
  removed: 2,
  unchanged: 3,
  alerts: { opened: 4, reopened: 5, resolved: 6 },
  former: null,
  coverage: {
    status: 'affected',
    domains: [{ domain: 'dependencies', status: 'affected' }],
    feeds: [{ ecosystem: 'npm', as_of: null, stale: true }],
    known: true,
    gaps: ['3 npm packages not matched: no complete advisories of npm are loaded'],
  },
};
const success: ScriptedAnswer = { status: 200, body: result };

const problem = (status: number, code: string, more: Record<string, unknown> = {}): ScriptedAnswer => ({
  status,
  body: { type: 'about:blank', title: code, status, code, request_id: 'req_1', ...more },
});

async function runAgainst(
  answers: readonly ScriptedAnswer[],
  given: Record<string, string> = files,
  args: readonly string[] = [],
) {
  const { url, received } = await recordingService(...answers);
  const folder = folderWith(given);
  const ran = await runReach(['sync', folder, '--project', 'prj_1', ...args], {
    SERVICE_API_URL: url,
    SERVICE_API_KEY: key,
  });
  return { ...ran, url, folder, received };
}

describe('reach sync, accepted', () => {
  test('sends each package once, with the key, and tells what came of it', async () => {
    const { exitCode, stdout, stderr, received, folder } = await runAgainst([success]);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/api/projects/prj_1/tech-stack/sync',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'reach/9.8.7' },
    });
    const source = `${basename(folder)}:package-lock.json`;
    expect(received[0]?.body).toEqual({
      source,
      former: 'package-lock.json',
      packages: [
        {
          ecosystem: 'npm',
          name: 'a',
          version: '1.0.0',
          scope: 'runtime',
          direct: true,
          deprecated: 'use c',
          asked_by: [{ file: 'package.json', range: '1' }],
          dependencies: [],
        },
        { ecosystem: 'npm', name: 'b', version: '2.0.0', scope: 'runtime', direct: false, dependencies: [] },
      ],
      unread: [{ ecosystem: 'npm', name: 'own', reason: 'own', stated: null, at: 'node_modules/own' }],
    });
    const input = procedures.techStack.sync.input.safeParse({ project_id: 'prj_1', ...Object(received[0]?.body) });
    expect(input.success).toBe(true);
    expect(stdout).toBe(
      [
        `${join(folder, 'package-lock.json')}: 3 packages, 2 distinct`,
        '  npm: 2 runtime, 0 development, 0 optional; 1 direct',
        '  skipped 1: is a link to a folder of the project',
        `Synced to project prj_1 as ${source}:`,
        '  packages: 1,200 added, 1 updated, 2 removed, 3 unchanged',
        '  alerts: 4 opened, 5 reopened, 6 resolved',
        '  not covered: 3 npm packages not matched: no complete advisories of npm are loaded',
        'No git remote is known, so sources are named after a folder: another folder of that name would have the same ones (see --source).',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });

  test('--json prints one JSON object', async () => {
    const { exitCode, stdout, folder } = await runAgainst([success], files, ['--json', '--source', 'web']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      project_id: 'prj_1',
      dry_run: false,
      lockfiles: [
        {
          path: join(folder, 'package-lock.json'),
          kind: 'package-lock.json',
          ecosystem: 'npm',
          source: 'web',
          source_from: 'option',
          packages: { listed: 3, distinct: 2, direct: 1, runtime: 2, development: 0, optional: 0 },
          skipped: [{ reason: 'is a link to a folder of the project', count: 1 }],
          result,
          refused: null,
        },
      ],
      passed_over: [],
      error: null,
    });
  });

  test('a folder with several: one of each ecosystem, and the reason for the choice', async () => {
    const composer = JSON.stringify({ packages: [{ name: 'psr/log', version: '3.0.0' }] });
    const given = { ...files, 'yarn.lock': '# yarn lockfile v1\n', 'composer.lock': composer };
    const { exitCode, stdout, received, folder } = await runAgainst([success], given);
    expect(exitCode).toBe(0);
    const sources = ['composer.lock', 'package-lock.json'].map((name) => `${basename(folder)}:${name}`);
    expect(received.map(({ body }) => Object(body).source)).toEqual(sources);
    expect(stdout).toMatch(
      /^Left out .*yarn\.lock: package-lock\.json is taken: nothing tells which is in use, and it is the first of the order/,
    );
  });

  test('packageManager in package.json decides between tools', async () => {
    const given = {
      ...files,
      'yarn.lock': '# yarn lockfile v1\n',
      'package.json': '{"packageManager": "yarn@1.22.22"}',
    };
    const { stdout, received } = await runAgainst([success], given);
    expect(received.map(({ body }) => body)).toMatchObject([{ former: 'yarn.lock', packages: [] }]);
    expect(stdout).toContain('yarn.lock is taken: packageManager of package.json names yarn');
  });

  test('every lock file of the tree, each as a source of its own; what is left out is told with the reason', async () => {
    const remote = '[remote "origin"]\n\turl = git@github.com:Acme/Shop.git\n';
    const { exitCode, stdout, received } = await runAgainst([success], {
      ...files,
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config': remote,
      'api/requirements.txt': 'flask==3.0.0',
      'api/requirements-dev.txt': 'pytest==8.0',
      'api/requirements/NOTES.txt': 'These are our requirements.',
      'web/bun.lockb': 'bun',
      'app/pubspec.lock': 'packages: {}',
      'node_modules/b/package-lock.json': '{',
      'test/fixtures/package-lock.json': '{',
    });
    expect(exitCode).toBe(0);
    expect(received.map(({ body }) => [Object(body).source, Object(body).former])).toEqual([
      ['github.com/acme/shop:api/requirements-dev.txt', 'api/requirements-dev.txt'],
      ['github.com/acme/shop:api/requirements.txt', 'api/requirements.txt'],
      ['github.com/acme/shop:package-lock.json', 'package-lock.json'],
    ]);
    expect(received.map(({ body }) => Object(body).packages[0]?.scope)).toEqual(['development', 'runtime', 'runtime']);
    expect(received.map(({ body }) => Object(body).unread?.map((part: object) => Object(part).reason))).toEqual([
      // What is beside the lock files is kept with the first, so that it goes with the next sync.
      ['direct_only', 'file_not_read'],
      ['direct_only'],
      ['own'],
    ]);
    for (const [path, reason] of [
      ['api/requirements/NOTES.txt', 'it is no requirements file'],
      ['web/bun.lockb', 'it is Bun’s binary lock file, which is not read: run `bun install --save-text-lockfile`'],
      ['app/pubspec.lock', 'it lists packages of Dart and Flutter (pub), which are not matched here'],
      ['test/fixtures/package-lock.json', 'it lies in a folder of test data'],
    ] as const) {
      expect(stdout.split('\n').find((text) => text.startsWith('Left out') && text.includes(path))).toContain(reason);
    }
    expect(stdout).not.toContain('node_modules');
    expect(stdout).not.toContain('named after a folder');
  });

  test('two repositories of one layout have different sources; one repository has the same everywhere', async () => {
    const sourcesIn = async (config: string, at = 'web/app') => {
      const { received, url } = await recordingService(success);
      const folder = folderWith({ '.git/config': config, 'web/app/package-lock.json': files['package-lock.json'] });
      const args = ['sync', join(folder, at), '--project', 'p'];
      await runReach(args, { SERVICE_API_URL: `${url}/base/`, SERVICE_API_KEY: key });
      expect(received[0]?.url).toBe('/base/api/projects/p/tech-stack/sync');
      return received.map(({ body }) => [Object(body).source, Object(body).former]);
    };
    const remote = (url: string) => `[remote "origin"]\n\turl = ${url}\n`;
    const shop = [['example.org/acme/shop:web/app/package-lock.json', 'web/app/package-lock.json']];
    expect(await sourcesIn(remote('https://ci:secret@example.org/acme/shop.git'))).toEqual(shop);
    expect(await sourcesIn(remote('git@example.org:acme/shop.git'), 'web/app/package-lock.json')).toEqual(shop);
    expect(await sourcesIn(remote('git@example.org:acme/blog.git'), '')).toEqual([
      ['example.org/acme/blog:web/app/package-lock.json', 'web/app/package-lock.json'],
    ]);
  });

  test('two folders outside of a repository have different sources, too', async () => {
    const { received, url } = await recordingService(success);
    const folder = folderWith({ 'a/requirements.txt': 'a==1.0', 'b/requirements.txt': 'b==1.0' });
    for (const path of ['a', 'b/requirements.txt', '.']) {
      const args = ['sync', join(folder, path), '--project', 'p'];
      await runReach(args, { SERVICE_API_URL: url, SERVICE_API_KEY: key });
    }
    const top = basename(folder);
    const sources = [
      'a:requirements.txt',
      'b:requirements.txt',
      `${top}:a/requirements.txt`,
      `${top}:b/requirements.txt`,
    ];
    expect(received.map(({ body }) => Object(body).source)).toEqual(sources);
  });

  test('--force is sent with each, and nothing of the former name with --source', async () => {
    const { received } = await runAgainst([success], files, ['--force', '--source', 'web']);
    expect(received.map(({ body }) => body)).toMatchObject([{ source: 'web', force: true }]);
    expect(received[0]?.body).not.toHaveProperty('former');
  });

  test('what became of the former name is told', async () => {
    const former = { source: 'package-lock.json', packages: 1200, same: 3 };
    const told = async (taken_over: boolean) =>
      (await runAgainst([{ status: 200, body: { ...result, former: { ...former, taken_over } } }])).stdout;
    expect(await told(true)).toContain('took over the packages of package-lock.json');
    expect(await told(false)).toMatch(
      /NOTE: package-lock\.json, .*, was left: 3 of its 1,200 packages are the same\.\n.*\n.*POST \/api\/projects\/prj_1\/tech-stack\/sync \{"source":"package-lock\.json","packages":\[\],"force":true\}/,
    );
  });

  test('--dry-run reads and sends nothing, and needs no key', async () => {
    const { url, received } = await recordingService(success);
    const { exitCode, stdout } = await runReach(['sync', folderWith(files), '--project', 'p', '--dry-run'], {
      SERVICE_API_URL: url,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /3 packages, 2 distinct[\s\S]*\n {2}source: reach-\S+:package-lock\.json\n[\s\S]*\nDry run: nothing was sent\.\n$/,
    );
    expect(received).toEqual([]);
  });
});

describe('reach sync, refused', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['401', problem(401, 'unauthenticated'), 'Set SERVICE_API_KEY to a ReadWrite API key'],
    [
      '403 of a read key',
      problem(403, 'forbidden'),
      'The key may not write. Set SERVICE_API_KEY to a ReadWrite API key',
    ],
    ['403 of the plan', problem(403, 'plan_required'), 'plan does not include'],
    [
      '404 of the project',
      problem(404, 'not_found', { resource: 'project' }),
      'Check --project. List the ids with: curl',
    ],
    ['404 of the route', problem(404, 'not_found', { resource: 'route' }), 'Check SERVICE_API_URL'],
    ['413', problem(413, 'too_large'), 'Sync lock files one by one'],
    ['429', { ...problem(429, 'rate_limited'), headers: { 'retry-after': '7' } }, 'Try again in 7 seconds.'],
    ['500', problem(500, 'internal'), 'give its operator the request id'],
    ['503', problem(503, 'unavailable'), 'Try again later.'],
  ])('%s says what to do', async (_, answer, advice) => {
    const { exitCode, stdout, stderr, url } = await runAgainst([answer]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^reach: ${url} refused: .* \\[${answer.status}\\] \\(request req_1\\)\n`));
    expect(stderr).toContain(advice);
    expect(stdout).not.toContain('Synced');
  });

  test('422 names the fields, and the package of each', async () => {
    const errors = [
      { field: 'packages.1.version', message: 'is not a version of its ecosystem' },
      { field: 'source', message: 'must not be blank' },
    ];
    const { exitCode, stderr } = await runAgainst([problem(422, 'invalid_input', { errors })]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'packages.1.version (b 2.0.0): is not a version of its ecosystem; source: must not be blank [422]',
    );
  });

  test.each<[string, ScriptedAnswer, string]>([
    [
      'HTML',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>\u001b[31m' },
      'answered 200, and not as the API does\nCheck SERVICE_API_URL',
    ],
    [
      'HTML with 404',
      { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'answered 404, and not as the API does',
    ],
    ['JSON cut short', { status: 200, body: '{"added":' }, 'answered 200, and not as the API does'],
    ['JSON of another API', { status: 200, body: { ok: true } }, 'answered 200, and not as the API does'],
    ['JSON without end', { status: 200, body: `"${'x'.repeat(2_000_000)}"` }, 'answered 200, and not as the API does'],
  ])('%s', async (_, answer, message) => {
    const { exitCode, stderr } = await runAgainst([answer]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b');
  });

  test('a redirect is not followed: the key goes to no other host', async () => {
    const other = await recordingService(success);
    const { exitCode, stderr, received } = await runAgainst([
      { status: 307, headers: { location: `${other.url}/api` } },
    ]);
    expect([exitCode, received.length, other.received.length]).toEqual([1, 1, 0]);
    expect(stderr).toContain('answered with a redirect (307), which is not followed');
  });

  test('words of the service cannot steer the terminal', async () => {
    const { stderr } = await runAgainst([problem(409, 'conflict', { detail: 'a\u001b[2Jb\nc' })]);
    expect(stderr).toContain('refused: a [2Jb c [409]');
  });

  test('nobody listens: which address, and how to set it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    server.close();
    await once(server, 'close');
    const { exitCode, stderr } = await runReach(['sync', folderWith(files), '--project', 'p'], {
      SERVICE_API_URL: url,
      SERVICE_API_KEY: key,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `reach: ${url} refused the connection\nIs the service running there? SERVICE_API_URL sets the address (now ${url}).\n`,
    );
  });

  test('the connection breaks in the middle', async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { exitCode, stderr } = await runReach(['sync', folderWith(files), '--project', 'p'], {
      SERVICE_API_URL: url,
      SERVICE_API_KEY: key,
    });
    server.close();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/could not be reached \((?:UND_ERR_SOCKET|ECONNRESET)\)/);
  });

  test('the second of two is refused: the first stays told, with --json too', async () => {
    const given = { ...files, 'composer.lock': '{"packages": []}' };
    const { exitCode, stdout, stderr } = await runAgainst([success, problem(401, 'unauthenticated')], given, [
      '--json',
    ]);
    expect(exitCode).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.lockfiles.map((lockfile: { result: unknown }) => lockfile.result)).toEqual([result, null]);
    expect(report.error).toMatchObject({ status: 401, advice: expect.stringContaining('SERVICE_API_KEY') });
    expect(stderr).toContain(report.error.message);
  });

  test('one that would lose most of its packages is refused, with what to do, and the others are synced', async () => {
    const detail = '8 of the 9 packages would go';
    const refusal = problem(409, 'conflict', { reason: 'mostly_removed', detail, removal: { removed: 8, of: 9 } });
    const given = { ...files, 'composer.lock': '{"packages": []}', 'go.mod': 'module a\n\ngo 1.22\n' };
    const { exitCode, stdout, stderr, received } = await runAgainst([refusal, refusal, success], given);
    expect([exitCode, received.length]).toEqual([1, 3]);
    expect(stdout).toMatch(/Not synced as \S+:composer\.lock: .*8 of the 9 packages would go/);
    expect(stdout).toMatch(/Synced to project prj_1 as \S+:package-lock\.json/);
    expect(stderr).toMatch(
      /8 of the 9 packages would go .*; 1 more of the lock files were refused too\nIf .* add --force\./,
    );
  });

  test('two that have one source are told, and nothing is sent', async () => {
    const nested = Object.fromEntries(
      ['x', 'y'].flatMap((folder) => [
        [`${folder}/app/.git/HEAD`, ''],
        [`${folder}/app/requirements.txt`, 'a==1.0'],
      ]),
    );
    const { exitCode, stderr, received } = await runAgainst([success], nested);
    expect([exitCode, received]).toEqual([1, []]);
    expect(stderr).toMatch(
      /y\/app\/requirements\.txt: has the source app:requirements\.txt, as .*x\/app\/requirements\.txt has: sync each/,
    );
  });

  test('a lock file that cannot be read is told, and nothing is sent', async () => {
    const { exitCode, stderr, received } = await runAgainst([success], { ...files, 'composer.lock': '{' });
    expect([exitCode, received]).toEqual([1, []]);
    expect(stderr).toMatch(/^reach: .*composer\.lock: line 1, column 2: is not JSON/);
  });

  test('a folder without lock files, and a path that is none', async () => {
    const empty = await runAgainst([success], { 'README.md': '' });
    expect([empty.exitCode, empty.stderr]).toEqual([
      1,
      expect.stringContaining('has no lock file in it: expected one of npm-shrinkwrap.json'),
    ]);
    const binary = await runAgainst([success], { 'bun.lockb': 'bun' });
    expect([binary.exitCode, binary.received]).toEqual([1, []]);
    expect(binary.stderr).toContain('run `bun install --save-text-lockfile`, then sync bun.lock');
    const missing = await runReach(['sync', join(empty.folder, 'gone'), '--project', 'p', '--dry-run']);
    expect([missing.exitCode, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toContain('gone: does not exist');
  });
});

describe('reach sync, used wrongly', () => {
  test.each<[string, readonly string[], Record<string, string>, string]>([
    ['no command', [], {}, 'Usage: reach'],
    ['no project', ['sync'], {}, "required option '--project <ID>' not specified"],
    ['a project that is another path', ['sync', '--project', '../x'], {}, 'reach: --project is a project’s id or name'],
    ['a blank source', ['sync', '--project', 'p', '--source', ' '], {}, 'reach: --source must not be blank'],
    ['an unknown option', ['sync', '--project', 'p', '--forced'], {}, "unknown option '--forced'"],
    ['two paths', ['sync', 'a', 'b', '--project', 'p'], {}, 'too many arguments'],
    [
      'no key',
      ['sync', '--project', 'p'],
      { SERVICE_API_KEY: '' },
      'SERVICE_API_KEY is not set: set it to a ReadWrite API key',
    ],
    [
      'a key with a line break',
      ['sync', '--project', 'p'],
      { SERVICE_API_KEY: `${key}\n` },
      'SERVICE_API_KEY has a character that no API key has',
    ],
    [
      'an address that is none',
      ['sync', '--project', 'p'],
      { SERVICE_API_KEY: key, SERVICE_API_URL: 'ftp://a' },
      'SERVICE_API_URL must be an http or https address',
    ],
    [
      'an address with a password',
      ['sync', '--project', 'p'],
      { SERVICE_API_KEY: key, SERVICE_API_URL: 'http://u:hunter2@h' },
      'SERVICE_API_URL must have no user',
    ],
  ])('%s', async (_, args, env, message) => {
    const { exitCode, stdout, stderr } = await runReach(args, env);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  test('--source with several lock files', async () => {
    const { exitCode, stderr, received } = await runAgainst(
      [success],
      { ...files, 'composer.lock': '{"packages": []}' },
      ['--source', 'x'],
    );
    expect([exitCode, received]).toEqual([2, []]);
    expect(stderr).toContain('--source names one lock file, and there are 2: give one of them, as ');
  });

  test('--help gives examples, the variables and the exit codes', async () => {
    const { exitCode, stdout } = await runReach(['sync', '--help']);
    expect(exitCode).toBe(0);
    for (const text of ['Examples:', 'SERVICE_API_KEY', 'SERVICE_API_URL', '--dry-run', 'Exits with 0'])
      expect(stdout).toContain(text);
  });
});
