import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { emptyFolder } from './bin/running-postern.js';
import { result, run, sarif } from './service/scanners/sarif/sarif-report.js';
import { root } from './support/build.js';
import { startService, type TestOrganisation, type TestService } from './support/service.js';

const folder = path.join(root, 'deploy/ci');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

let service: TestService;
let organisation: TestOrganisation;
beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

/** Runs a script as CI does, with the built reach, and nothing else of this process's environment but its path. */
async function ran(script: string, cwd: string, env: Record<string, string>) {
  const child = spawn('sh', ['-c', script], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      POSTERN_REACH: `${process.execPath} ${path.join(root, 'dist/reach.js')}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

async function newRepository() {
  const cwd = await emptyFolder();
  await writeFile(path.join(cwd, 'package.json'), '{"main": "index.js", "dependencies": {"lodash": "4.17.11"}}');
  await writeFile(path.join(cwd, 'index.js'), "import { merge } from 'lodash';\nmerge({}, {});\n");
  const lock = { lockfileVersion: 3, packages: { 'node_modules/lodash': { version: '4.17.11' } } };
  await writeFile(path.join(cwd, 'package-lock.json'), JSON.stringify(lock));
  await writeFile(path.join(cwd, 'scan.sarif'), JSON.stringify(sarif(run([result(1), result(2)]))));
  const { body } = await service.call(organisation.writeKey, 'POST', '/api/projects', {
    ...{ name: path.basename(cwd), exposure: 'internal' },
  });
  const { id } = z.object({ id: z.string() }).parse(body);
  const env = { POSTERN_URL: service.url, POSTERN_PROJECT: id, SERVICE_API_KEY: organisation.writeKey };
  const total = async (list: string) =>
    z
      .object({ total: z.int() })
      .parse((await service.call(organisation.readKey, 'GET', `/api/projects/${id}/${list}`)).body).total;
  return { cwd, env, total };
}

const action = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string() }).loose()),
    runs: z.object({
      using: z.literal('composite'),
      steps: z.tuple([z.object({ shell: z.literal('sh'), env: z.record(z.string(), z.string()), run: z.string() })]),
    }),
  })
  .loose();
const job = z.object({ postern: z.object({ script: z.tuple([z.string()]) }).loose() });

describe('the action of GitHub', () => {
  const { inputs, runs } = action.parse(load(read('action.yml')));
  const [{ env, run: script }] = runs.steps;

  test('passes on each input, and what the script takes', () => {
    const used = Object.values(env).flatMap((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? []);
    expect(used.sort()).toEqual(Object.keys(inputs).sort());
    const named = new Set(read('postern-ci.sh').match(/\b(?:POSTERN|SERVICE)_[A-Z_]+\b/g));
    expect(Object.keys(env).filter((name) => !named.has(name))).toEqual([]);
  });

  test('syncs, uploads and analyzes', async () => {
    const repository = await newRepository();
    const given = { ...repository.env, POSTERN_SARIF: 'scan.sarif\n', POSTERN_REPO: 'https://example.com/shop' };
    const done = await ran(script, repository.cwd, { ...given, GITHUB_ACTION_PATH: folder });
    expect(done, done.output).toMatchObject({ exitCode: 0 });
    expect(await repository.total('tech-stack')).toBe(1);
    expect(await repository.total('sast/findings')).toBe(2);
    expect(done.output).not.toContain(organisation.writeKey);
  });
});

describe('the job of GitLab', () => {
  const [script] = job.parse(load(read('gitlab.yml'))).postern.script;

  test('runs in a repository that has both files, and fails where a step fails', async () => {
    const repository = await newRepository();
    await mkdir(path.join(repository.cwd, 'deploy/ci'), { recursive: true });
    await cp(folder, path.join(repository.cwd, 'deploy/ci'), { recursive: true });
    const done = await ran(script, repository.cwd, repository.env);
    expect(done, done.output).toMatchObject({ exitCode: 0 });
    expect(await repository.total('tech-stack')).toBe(1);
    const failed = await ran(script, repository.cwd, { ...repository.env, POSTERN_TRIVY: 'none.json' });
    expect(failed.exitCode).toBe(1);
    expect(failed.output).toContain('none.json');
  });

  test.each(['POSTERN_URL', 'POSTERN_PROJECT', 'SERVICE_API_KEY'])(
    'says what %s is where it is not set',
    async (name) => {
      const all: Record<string, string> = { POSTERN_URL: 'http://a', POSTERN_PROJECT: 'p', SERVICE_API_KEY: 'k' };
      const { [name]: _left, ...env } = all;
      const { exitCode, output } = await ran(`sh ${path.join(folder, 'postern-ci.sh')}`, root, env);
      expect(exitCode).not.toBe(0);
      expect(output).toMatch(new RegExp(`${name}: (the|a) `));
    },
  );
});

describe('the hook of git', () => {
  test('refuses a commit whose lock file cannot be read, and minds no other', async () => {
    const { cwd } = await newRepository();
    const git = async (words: string) => {
      const user = '-c user.name=a -c user.email=a@example.com';
      return ran(`git ${user} ${words}`, cwd, { HOME: cwd, POSTERN_URL: service.url });
    };
    await git('init --quiet');
    await cp(path.join(folder, 'pre-commit'), path.join(cwd, '.git/hooks/pre-commit'));
    await git('add package-lock.json package.json');
    const good = await git('commit --message good');
    expect(good, good.output).toMatchObject({ exitCode: 0 });
    await writeFile(path.join(cwd, 'package-lock.json'), '{');
    await git('add package-lock.json');
    const bad = await git('commit --message bad');
    expect(bad.exitCode).not.toBe(0);
    expect(bad.output).toContain('package-lock.json');
    await git('reset --quiet package-lock.json');
    await git('add index.js');
    expect(await git('commit --message other')).toMatchObject({ exitCode: 0 });
  });
});
