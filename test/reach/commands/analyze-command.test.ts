import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { folderWith } from '../folder.js';
import { recordingService, type ScriptedAnswer } from '../recording-service.js';
import { key, runReach } from '../run-reach.js';
import { smallApp as files } from './small-app.js';
import { page, verdict } from './verdicts.js';

const uploaded: ScriptedAnswer = {
  status: 200,
  body: {
    report_id: 'rep_1',
    duplicate: false,
    dependencies: 4,
    verdicts: { created: 1, updated: 0, unchanged: 0, pending: false },
  },
};
const project: ScriptedAnswer = {
  status: 200,
  body: {
    id: 'prj_1',
    name: 'web',
    description: null,
    exposure: 'internet',
    repo: null,
    group: null,
    revision: 2,
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
  },
};

async function analyze(
  answers: readonly ScriptedAnswer[],
  args: readonly string[],
  given: Record<string, string> = files,
) {
  const { url, received } = await recordingService(...answers);
  const folder = folderWith(given);
  const env = { SERVICE_API_URL: url, SERVICE_API_KEY: key };
  const ran = await runReach(
    ['analyze', folder, '--project', 'prj_1', ...args.map((arg) => arg.replace('$DIR', folder))],
    env,
  );
  return { ...ran, folder, received, url };
}

describe('reach analyze', () => {
  test('keeps the report in a file, without a project and without a key', async () => {
    const folder = folderWith(files);
    const output = join(folder, 'usage.json');
    const { exitCode, stdout, stderr } = await runReach(['analyze', folder, '--output', output]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Nothing was sent.');
    expect(stdout).toContain(`The report is in ${output}.`);
    const report = usageReport.parse(JSON.parse(readFileSync(output, 'utf8')));
    expect(report).toMatchObject({
      schema: 'reach/1',
      tool: { name: 'reach', version: '9.8.7' },
      complete: true,
      commit: null,
      lockfiles: [{ path: 'package-lock.json' }],
      entries: [{ file: 'index.js' }],
    });
    expect(report.dependencies.map(({ purl, usage }) => `${purl} ${usage}`)).toEqual([
      'pkg:npm/helmet@2.3.0 unused',
      'pkg:npm/lodash@4.17.11 reached',
      'pkg:npm/mocha@9.0.0 tooling',
      'pkg:npm/ms@2.0.0 tooling',
    ]);
    expect(report.dependencies[1]).toMatchObject({
      direct: true,
      counts: { prod: 1, reached: 1 },
      sites: [{ file: 'index.js', line: 2, kind: 'require', role: 'prod', reached: true, symbols: ['merge'] }],
      symbols: ['merge'],
      symbols_complete: true,
      evidence: 'import',
    });
    expect(readFileSync(output, 'utf8')).not.toContain('is not used');
  });

  test('reads what .gitignore keeps of a folder that it ignores but for one part', async () => {
    const folder = folderWith({
      ...files,
      '.gitignore': '/lib/*\n!/lib/app\n',
      'index.js': "require('./lib/app/a');\n",
      'lib/app/a.js': "require('lodash').merge({}, {});\n",
      'lib/old/b.js': "require('helmet')();\n",
    });
    const output = join(folder, 'usage.json');
    expect(await runReach(['analyze', folder, '--output', output])).toMatchObject({ exitCode: 0 });
    const { complete, dependencies } = usageReport.parse(JSON.parse(readFileSync(output, 'utf8')));
    const usage = Object.fromEntries(dependencies.map(({ purl, usage }) => [purl, usage]));
    expect({ complete, ...usage }).toMatchObject({
      complete: true,
      'pkg:npm/lodash@4.17.11': 'reached',
      'pkg:npm/helmet@2.3.0': 'unused',
    });
  });

  test('uploads, declares the exposure, then reads every page of the verdicts', async () => {
    const { exitCode, stdout, received } = await analyze(
      [
        uploaded,
        project,
        page([verdict('CVE-2019-10744')], { next_cursor: 'c', total: 2 }),
        page([verdict('CVE-2021-23337', { effective_priority: 20, band: 'likely_not_exploitable' })], { total: 2 }),
      ],
      ['--exposure', 'internet'],
    );
    expect(exitCode).toBe(0);
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/projects/prj_1/reachability/usage-reports',
      'PATCH /api/projects/prj_1',
      'GET /api/projects/prj_1/reachability/verdicts?page_size=100',
      'GET /api/projects/prj_1/reachability/verdicts?page_size=100&cursor=c',
    ]);
    expect(received[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'user-agent': 'reach/9.8.7' });
    expect(usageReport.safeParse(received[0]?.body).success).toBe(true);
    expect(received[1]?.body).toEqual({ exposure: 'internet' });
    expect(stdout).toContain('Uploaded to project prj_1; verdicts: 1 created, 0 updated, 0 unchanged');
    expect(stdout).toContain('2 verdicts: 1 likely_exploitable, 1 likely_not_exploitable');
    expect(stdout).toContain('62.2  likely_exploitable: CVE-2019-10744 in lodash 4.17.11 (imported)');
    expect(stdout).toContain('src/a b.js:12:8 and 2 more');
  });

  test('without verdicts tells how the stack is synced', async () => {
    const { stdout } = await analyze([uploaded, page([])], []);
    expect(stdout).toContain('reach sync --project prj_1');
  });

  test.each([
    ['known_exploited', 0],
    ['likely_exploitable', 3],
    ['needs_review', 3],
  ])('--fail-on %s exits with %i on a verdict that is likely_exploitable', async (band, code) => {
    const { exitCode, stderr } = await analyze([uploaded, page([verdict('CVE-2019-10744')])], ['--fail-on', band]);
    expect(exitCode).toBe(code);
    expect(stderr).toBe(code === 0 ? '' : `reach: 1 verdict is ${band} or worse\n`);
  });

  test('waits until the service has judged all alerts, then --fail-on decides', async () => {
    const counts = { created: 100, updated: 0, unchanged: 0, pending: true };
    const accepted = { status: 200, body: { report_id: 'rep_1', duplicate: false, dependencies: 4, verdicts: counts } };
    const progress = (judged: number, pending: boolean): ScriptedAnswer => ({
      status: 200,
      body: { pending, alerts: 1200, judged },
    });
    const low = page([verdict('CVE-2019-10744', { band: 'likely_not_exploitable' })]);
    const waiting = [accepted, progress(100, true), progress(900, true), progress(1200, false)];
    const passed = await analyze([...waiting, low], ['--fail-on', 'needs_review']);
    expect({ exitCode: passed.exitCode, stderr: passed.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(passed.stdout).not.toContain('follow');
    const asked = 'GET /api/projects/prj_1/reachability/progress';
    expect(passed.received.slice(1, 4).map(({ method, url }) => `${method} ${url}`)).toEqual([asked, asked, asked]);
    const failed = await analyze([...waiting, page([verdict('CVE-1')])], ['--fail-on', 'needs_review']);
    expect(failed.exitCode).toBe(3);
  });

  test('another exposure of a large project is waited for too', async () => {
    const counts = { created: 0, updated: 0, unchanged: 500, pending: false };
    const accepted = { status: 200, body: { report_id: 'rep_1', duplicate: true, dependencies: 4, verdicts: counts } };
    const done = { status: 200, body: { pending: false, alerts: 500, judged: 500 } };
    const low = page([verdict('CVE-2019-10744', { band: 'likely_not_exploitable' })]);
    const { exitCode, received } = await analyze(
      [accepted, project, done, low],
      ['--exposure', 'internet', '--fail-on', 'needs_review'],
    );
    expect(exitCode).toBe(0);
    expect(received[2]?.url).toBe('/api/projects/prj_1/reachability/progress');
  });

  test('--json prints one object with the verdicts', async () => {
    const { stdout } = await analyze([uploaded, page([verdict('CVE-2019-10744')])], ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      project_id: 'prj_1',
      analysis: { complete: true, packages: 4, usage: { reached: 1, tooling: 2, transitive: 0, unused: 1 } },
      upload: { report_id: 'rep_1' },
      bands: { likely_exploitable: 1 },
      total: 1,
      verdicts: [{ cve: 'CVE-2019-10744' }],
      error: null,
    });
  });

  test('shows on a terminal what it does, and leaves nothing of it', async () => {
    const folder = folderWith(files);
    const { stderr } = await runReach(['analyze', folder], {}, true);
    expect(stderr).toContain('reach: reading lock files …');
    expect(stderr.endsWith('\r\x1b[2K')).toBe(true);
  });
});

describe('SARIF', () => {
  test('has a result for each verdict, at the places that import the package', async () => {
    const unlocated = verdict('CVE-2020-1', { band: 'needs_review', cve: null });
    const kept = { ...unlocated.evidence.usage, sites: [], site_count: 0 };
    const overridden = verdict('CVE-2020-2', {
      band: 'likely_not_exploitable',
      effective_priority: 0,
      override: {
        verdict: 'NotExploitable',
        reason: 'no user input gets there',
        set_by: 'a member',
        set_at: '2026-01-02T03:04:05.000Z',
        expires_at: null,
        evidence_changed_since_override: false,
      },
    });
    const items = [
      verdict('CVE-2019-10744', { band: 'known_exploited' }),
      { ...unlocated, evidence: { ...unlocated.evidence, usage: kept } },
      overridden,
    ];
    const { exitCode, folder } = await analyze([uploaded, page(items)], ['--sarif', '$DIR/reach.sarif']);
    expect(exitCode).toBe(0);
    const log = JSON.parse(readFileSync(join(folder, 'reach.sarif'), 'utf8'));
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'reach', version: '9.8.7' } }, columnKind: 'utf16CodeUnits' }],
    });
    const [{ results, tool }] = log.runs;
    expect(results).toMatchObject([
      {
        ruleId: 'CVE-2019-10744',
        ruleIndex: 0,
        level: 'error',
        rank: 62.2,
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/a%20b.js', uriBaseId: '%SRCROOT%' },
              region: { startLine: 12, startColumn: 8 },
            },
          },
        ],
        properties: { band: 'known_exploited', usage: 'imported', package: 'pkg:npm/lodash' },
      },
      {
        ruleId: 'GHSA-jf85-cpcp-j695',
        level: 'warning',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'package-lock.json' } } }],
      },
      {
        level: 'note',
        suppressions: [{ kind: 'external', status: 'accepted', justification: 'no user input gets there' }],
      },
    ]);
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'CVE-2019-10744',
      'GHSA-jf85-cpcp-j695',
      'CVE-2020-2',
    ]);
    expect(
      new Set(results.map((result: { partialFingerprints: object }) => JSON.stringify(result.partialFingerprints)))
        .size,
    ).toBe(3);
  });
});

describe('wrong usage exits with 2 and sends nothing', () => {
  test.each<[string, string[], string]>([
    [
      'an exposure without a project',
      ['--exposure', 'internet'],
      '--exposure is about the verdicts of a project: give --project too',
    ],
    ['a threshold without a project', ['--fail-on', 'needs_review'], '--fail-on is about'],
    ['SARIF without a project', ['--sarif', 'a.sarif'], '--sarif is about'],
    ['a project without a key', ['--project', 'prj_1'], 'SERVICE_API_KEY is not set: set it to a ReadWrite API key'],
    [
      'a band that is none',
      ['--project', 'prj_1', '--fail-on', 'bad'],
      '--fail-on expected one of "known_exploited"|"likely_exploitable"|"needs_review"',
    ],
    ['an exposure that is none', ['--project', 'prj_1', '--exposure', 'moon'], '--exposure expected one of'],
    ['a project id that is none', ['--project', '../x'], '--project is an id of letters'],
    ['an entry that is not there', ['--entry', 'none.js'], '--entry none.js is no file of the tree'],
    ['a workspace that is not there', ['--workspace', 'none'], '--workspace none is neither a package nor a folder'],
  ])('%s', async (_, args, message) => {
    const ran = await runReach(['analyze', folderWith(files), ...args]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toContain('See: reach analyze --help');
  });

  test('a folder that is not there', async () => {
    const ran = await runReach(['analyze', join(folderWith({}), 'none')]);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('is not a folder that can be read');
  });
});

describe('failures exit with 1 and say what to do', () => {
  test('no lock file', async () => {
    const ran = await runReach(['analyze', folderWith({ 'a.js': '' })]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(
      'has no lock file, so its packages are not known: expected one of npm-shrinkwrap.json',
    );
  });

  test('no lock file that can be read', async () => {
    const ran = await runReach(['analyze', folderWith({ ...files, 'package-lock.json': '{' })]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('none of its lock files can be read: package-lock.json: line 1');
  });

  test.each([
    ['--output', 'none/usage.json', 'ENOENT'],
    ['--output', 'index.js/usage.json', 'ENOTDIR'],
    ['--output', 'test', 'it is a folder'],
    ['--sarif', 'none/reach.sarif', 'ENOENT'],
  ])('%s %s cannot be written, which is said before the work', async (option, path, why) => {
    const { exitCode, stdout, stderr, received } = await analyze([uploaded, page([])], [option, `$DIR/${path}`]);
    expect({ exitCode, stdout, received }).toEqual({ exitCode: 1, stdout: '', received: [] });
    expect(stderr).toContain(`cannot be written (${why}): give a file in a folder that exists`);
  });

  test('--fail-on where no source was read: the folder may be the wrong one, and nothing is sent', async () => {
    const { 'package.json': manifest, 'package-lock.json': lock } = files;
    const wrong = { 'package.json': manifest, 'package-lock.json': lock };
    const ran = await analyze([uploaded, page([])], ['--fail-on', 'likely_exploitable'], wrong);
    expect(ran).toMatchObject({ exitCode: 1, received: [] });
    expect(ran.stdout).toMatch(/^Nothing was read: /);
    expect(ran.stderr).toContain('no source file of their languages was read, so --fail-on has nothing to judge');
    expect(ran.stderr).toContain('Is it the right folder?');
    const { exitCode, stdout } = await analyze([uploaded], ['--fail-on', 'needs_review', '--json'], wrong);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      analysis: { read_nothing: true },
      upload: null,
      error: { advice: expect.stringContaining('Is it the right folder?') },
    });
    expect((await analyze([uploaded, page([])], [], wrong)).exitCode).toBe(0);
  });

  test('a refusal, with what was done before it', async () => {
    const refused = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'forbidden', request_id: 'req_1' };
    const { exitCode, stdout, stderr, received } = await analyze([{ status: 403, body: refused }], ['--json']);
    expect(exitCode).toBe(1);
    expect(received).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      analysis: { packages: 4 },
      upload: null,
      verdicts: null,
      error: { status: 403 },
    });
    expect(stderr).toContain('The key may not write.');
  });

  test('a refused field is told by the package it belongs to', async () => {
    const errors = [{ field: 'report.dependencies.1.purl', message: 'is no package URL' }];
    const refused = { type: 'about:blank', title: 'Invalid', status: 422, code: 'invalid_input', errors };
    const { stderr } = await analyze([{ status: 422, body: refused }], []);
    expect(stderr).toContain('report.dependencies.1.purl (pkg:npm/lodash@4.17.11): is no package URL');
  });

  test('what could not be read is told, and the report is not complete', async () => {
    const output = join(folderWith({}), 'usage.json');
    const folder = folderWith({ ...files, 'api/package-lock.json': '{', 'api/a.js': '' });
    const { exitCode, stderr } = await runReach(['analyze', folder, '--output', output]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'the report is not complete, so what this may hide does not count as unused:\n  api/package-lock.json: line 1',
    );
    expect(JSON.parse(readFileSync(output, 'utf8')).complete).toBe(false);
  });
});
