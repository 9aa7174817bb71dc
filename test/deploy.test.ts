import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { environment } from '../src/env.js';
import { emptyFolder } from './bin/running-postern.js';
import { root } from './support/build.js';

const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const variables = Object.keys(environment.shape);
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** The steps of a Dockerfile by stage: `[instruction, rest]`. */
function stagesOf(text: string): Array<Array<readonly [string, string]>> {
  const stages: Array<Array<readonly [string, string]>> = [];
  for (const line of text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === undefined || rest === undefined) {
      if (line.trim() !== '') throw new Error(`no instruction: ${line}`);
    } else if (instruction === 'FROM') stages.push([[instruction, rest]]);
    else stages.at(-1)?.push([instruction, rest]);
  }
  return stages;
}

const [buildStage = [], finalStage = []] = stagesOf(read('deploy/Dockerfile'));
const restOf = (stage: typeof buildStage, wanted: string) =>
  stage.flatMap(([instruction, rest]) => (instruction === wanted ? [rest] : []));

/** The names in the root that the build context has. */
const context = ignore().add(read('.dockerignore'));
const inContext = (name: string) => !context.ignores(name);

describe('the image', () => {
  test('takes nothing from a clone that is a secret, data or not needed', () => {
    const kept = [
      '.env',
      '.postern/jwt.key',
      '.postern/operator.key',
      '.git/config',
      'node_modules/zod/index.js',
      'dist/postern.js',
    ];
    const others = ['test/deploy.test.ts', 'postern.log', 'first-run.json', 'deploy/.env', 'a/.env'];
    expect([...kept, ...others].filter(inContext)).toEqual([]);
  });

  test('is built from what the context has, and copies what that build makes', async () => {
    const folder = await emptyFolder();
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    const names = tracked.split('\n').filter((name) => name !== '' && inContext(name));
    for (const name of names) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await cp(path.join(root, name), path.join(folder, name));
    }
    for (const from of restOf(buildStage, 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1))) {
      expect([from, existsSync(path.join(folder, from))]).toEqual([from, true]);
    }
    // `npm ci` installs what the lock file says, as it has here. The build of the dashboard is not repeated where it is the same.
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await cp(path.join(root, 'dist/web'), path.join(folder, 'dist/web'), { recursive: true });
    expect(restOf(buildStage, 'RUN')).toContain('npm run build');
    execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'pipe' });
    for (const rest of restOf(finalStage, 'COPY')) {
      const [from, ...paths] = rest.split(' ');
      expect(from).toBe('--from=build');
      for (const each of paths.slice(0, -1)) {
        expect([each, existsSync(path.join(folder, path.relative('/build', each)))]).toEqual([each, true]);
      }
    }
    const [entry = ''] = restOf(finalStage, 'ENTRYPOINT');
    const [program = '', ...args] = z.array(z.string()).parse(JSON.parse(entry));
    const version = execFileSync(program, [...args, '--version'], { cwd: folder, encoding: 'utf8' });
    expect(version).toBe(`${manifest.version}\n`);
    expect((await stat(path.join(folder, 'dist/reach.js'))).mode & 0o111).toBe(0o111);
  });

  test('runs as nobody of note, with settings that the program knows, and asks for its health without a shell', () => {
    expect(restOf(finalStage, 'USER')).toEqual(['1000:1000']);
    const settings = restOf(finalStage, 'ENV').flatMap((rest) =>
      rest.split(' ').map((each) => each.split('=')[0] ?? ''),
    );
    expect(settings.filter((name) => name !== 'NODE_ENV' && !variables.includes(name))).toEqual([]);
    const [health = ''] = restOf(finalStage, 'HEALTHCHECK');
    const [program, , script = ''] = z.array(z.string()).parse(JSON.parse(health.slice(health.indexOf('['))));
    expect(program).toBe('node');
    const ended = spawnSync(process.execPath, ['--eval', script], { env: { PORT: '9' } });
    expect(ended.status).toBe(1);
  });
});

const service = z.object({
  environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.literal('no-new-privileges:true')),
  volumes: z.array(z.string()),
  ports: z.array(z.string()).optional(),
});
const compose = z.object({
  services: z.object({ proxy: service, postern: service, database: service }),
  volumes: z.record(z.string(), z.null()),
});

describe('compose', () => {
  const { services, volumes } = compose.parse(loadAll(read('deploy/compose.yaml'))[0]);

  test('opens the proxy alone, and the gateway writes to its volume alone', () => {
    expect([services.postern.ports, services.database.ports]).toEqual([undefined, undefined]);
    expect([services.postern.read_only, services.postern.cap_drop]).toEqual([true, ['ALL']]);
    const named = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(named.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
  });

  test('has settings that the program knows, and no secret of its own', () => {
    const settings = services.postern.environment ?? {};
    expect(Object.keys(settings).filter((name) => !variables.includes(name))).toEqual([]);
    const secrets = [
      settings['SECRETS_KEY'],
      settings['OPERATOR_KEY'],
      services.database.environment?.['POSTGRES_PASSWORD'],
    ];
    for (const secret of secrets) expect(secret).toMatch(/^\$\{[A-Z_]+:\?.*\}$/);
    const key = 'k'.repeat(64);
    const filled = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        String(value).replaceAll(/\$\{(\w+):\?[^}]*\}/g, name === 'PUBLIC_URL' ? 'postern.example.com' : key),
      ]),
    );
    expect(environment.safeParse(filled).error?.issues).toBeUndefined();
  });

  test.skipIf(!has('caddy'))('has a Caddyfile that Caddy takes', () => {
    const file = path.join(root, 'deploy/Caddyfile');
    const { status, stderr } = spawnSync('caddy', ['adapt', '--validate', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, POSTERN_HOST: 'postern.example.com' },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});

const probe = z.object({ httpGet: z.object({ path: z.enum(['/healthz', '/readyz']), port: z.literal('http') }) });
const container = z.object({
  image: z.string().regex(/:\d/),
  env: z.array(z.object({ name: z.enum(['', ...variables]), value: z.string() })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(1000) }),
        containers: z.tuple([container]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

describe('the example for Kubernetes', () => {
  const documents = loadAll(read('deploy/kubernetes.yaml'));
  const { spec } = deployment.parse(documents[0]);
  const pod = spec.template.spec;
  const [postern] = pod.containers;

  test('has a deployment, and a service, a budget and an ingress that find it', () => {
    const kinds = documents.map((each) => z.object({ apiVersion: z.string(), kind: z.string() }).parse(each).kind);
    expect(kinds).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'Ingress']);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const [, found] = documents;
    const { selector } = z.object({ spec: z.object({ selector: z.record(z.string(), z.string()) }) }).parse(found).spec;
    expect(spec.template.metadata.labels).toMatchObject(selector);
  });

  test('writes to volumes alone, and ends after the calls that still run', () => {
    expect(postern.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    expect(postern.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/data');
    const drain = Number(postern.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain + 20);
    expect(environment.safeParse(Object.fromEntries(postern.env.map(({ name, value }) => [name, value]))).success).toBe(
      true,
    );
  });
});

describe('the systemd unit', () => {
  const unit = path.join(root, 'deploy/postern.service');

  test('has settings that the program knows, and lets nothing but its own folder be written', () => {
    const text = read('deploy/postern.service');
    const settings =
      /^Environment=(.*)$/m
        .exec(text)?.[1]
        ?.split(' ')
        .map((each) => each.split('=')[0] ?? '') ?? [];
    expect(settings).toContain('DATA_DIR');
    expect(settings.filter((name) => name !== 'NODE_ENV' && !variables.includes(name))).toEqual([]);
    expect(text).toMatch(/^ProtectSystem=strict$/m);
  });

  test.skipIf(!has('systemd-analyze'))('is understood by systemd, which finds little that it may do', () => {
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // Where Node is not installed as a package, its path is another.
    expect(
      `${stdout}${stderr}`.split('\n').filter((line) => line.includes(unit) && !line.includes('/usr/bin/node')),
    ).toEqual([]);
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      encoding: 'utf8',
    });
    expect(rated.status, rated.stdout).toBe(0);
  });
});
