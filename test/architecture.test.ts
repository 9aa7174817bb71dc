import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** For each folder or file: what it may import besides itself. Ordered from low to high; an arrow only points down. */
type Layers = Readonly<Record<string, readonly string[]>>;

const modules: Layers = {
  shared: [],
  'env.ts': ['shared'],
  verdict: ['shared'],
  procedures: ['shared'],
  gateway: ['procedures', 'shared', 'verdict'],
  client: ['gateway'],
  service: ['procedures', 'shared', 'verdict'],
  reach: ['procedures', 'shared'],
  bin: ['env.ts', 'gateway', 'procedures', 'reach', 'service', 'shared'],
  web: ['client', 'procedures', 'shared', 'verdict'],
};

const serviceFolders: Layers = {
  // What every request needs, whatever it is about.
  db: [],
  http: ['db'],
  jobs: ['db', 'http'],
  secrets: ['db'],
  audit: ['db'],
  auth: ['audit', 'db', 'http', 'secrets'],
  landing: ['db', 'http', 'jobs'],
  limits: ['auth', 'db', 'http'],
  api: ['audit', 'auth', 'db', 'http', 'landing', 'limits'],
  // What several domains need.
  matching: [],
  packages: ['db', 'matching'],
  outbound: [],
  projects: ['api', 'auth', 'db', 'http', 'jobs', 'limits'],
  registries: ['db', 'jobs', 'matching', 'outbound', 'packages', 'projects'],
  events: ['db', 'projects'],
  counts: ['db'],
  coverage: ['counts', 'db'],
  // Dependencies: alerts, the verdicts on them, and what brings both up to date.
  alerts: ['api', 'counts', 'coverage', 'db', 'events', 'http', 'matching', 'packages', 'projects', 'registries'],
  reachability: [
    'alerts',
    'api',
    'audit',
    'counts',
    'coverage',
    'db',
    'events',
    'http',
    'jobs',
    'landing',
    'matching',
    'projects',
  ],
  assessment: ['alerts', 'db', 'jobs', 'projects', 'reachability', 'registries'],
  'tech-stack': [
    'alerts',
    'api',
    'assessment',
    'counts',
    'coverage',
    'db',
    'http',
    'jobs',
    'landing',
    'matching',
    'packages',
    'projects',
    'registries',
  ],
  'alert-details': ['alerts', 'api', 'db', 'http', 'jobs', 'projects', 'reachability', 'tech-stack'],
  // Scanners' findings.
  findings: ['api', 'counts', 'db', 'events', 'http', 'jobs', 'landing', 'limits', 'projects'],
  scanners: ['findings', 'http'],
  sast: ['api', 'coverage', 'findings', 'http', 'projects', 'scanners'],
  dast: ['api', 'coverage', 'db', 'events', 'findings', 'http', 'limits', 'projects', 'scanners'],
  containers: [
    'alerts',
    'api',
    'coverage',
    'db',
    'findings',
    'http',
    'jobs',
    'landing',
    'matching',
    'projects',
    'scanners',
  ],
  // What reads or changes several domains.
  feeds: ['alerts', 'assessment', 'containers', 'coverage', 'db', 'http', 'jobs', 'matching'],
  receipts: ['api', 'auth', 'coverage', 'db', 'jobs', 'secrets'],
  intelligence: [
    ...['alerts', 'api', 'containers', 'coverage', 'db', 'feeds', 'findings', 'http', 'matching', 'packages'],
    ...['projects', 'receipts', 'registries', 'sast', 'tech-stack'],
  ],
  naming: ['alerts', 'api', 'auth', 'containers', 'db', 'http'],
  sbom: ['alerts', 'api', 'db', 'http', 'intelligence', 'projects', 'tech-stack'],
  vex: ['api', 'alerts', 'db', 'http', 'jobs', 'landing', 'matching', 'projects', 'reachability'],
  uploads: ['api', 'db', 'http', 'jobs', 'landing', 'projects'],
  remediation: [
    'alerts',
    'api',
    'containers',
    'counts',
    'coverage',
    'db',
    'matching',
    'projects',
    'registries',
    'tech-stack',
  ],
  posture: [
    ...['alerts', 'api', 'containers', 'counts', 'coverage', 'db', 'http', 'projects', 'receipts', 'remediation'],
    'sast',
  ],
  webhooks: ['api', 'audit', 'db', 'events', 'http', 'jobs', 'limits', 'outbound', 'projects', 'secrets'],
  mail: ['auth', 'db', 'events', 'http', 'webhooks'],
  'audit-sink': ['audit', 'db', 'http', 'jobs', 'outbound'],
  // Organisations and those who use them.
  'api-keys': ['api', 'auth', 'db', 'http', 'limits'],
  backup: ['db', 'http'],
  organisations: ['api', 'audit', 'auth', 'db', 'http', 'limits', 'mail', 'projects'],
  'sign-in-settings': ['api', 'auth', 'db', 'http', 'secrets'],
  operator: ['audit', 'auth', 'db', 'http', 'jobs', 'organisations', 'sign-in-settings'],
  sessions: ['api', 'audit', 'auth', 'db', 'http', 'mail', 'organisations'],
  openid: ['api', 'audit', 'auth', 'db', 'http', 'limits', 'outbound', 'secrets', 'sessions', 'sign-in-settings'],
  // What puts it all together.
  openapi: ['auth', 'http'],
  sample: [
    ...['alerts', 'api', 'api-keys', 'audit', 'auth', 'containers', 'dast', 'db', 'feeds', 'operator'],
    ...['organisations', 'projects', 'reachability', 'sast', 'secrets', 'tech-stack', 'webhooks'],
  ],
  'handlers.ts': [
    ...['alert-details', 'api', 'api-keys', 'auth', 'containers', 'dast', 'intelligence', 'organisations', 'posture'],
    ...[
      'outbound',
      'projects',
      'reachability',
      'receipts',
      'registries',
      'remediation',
      'sast',
      'sbom',
      'secrets',
      'sessions',
    ],
    ...['openid', 'sign-in-settings', 'tech-stack', 'uploads', 'vex', 'webhooks'],
  ],
  'app.ts': [
    ...[
      'api',
      'auth',
      'db',
      'handlers.ts',
      'http',
      'limits',
      'naming',
      'openapi',
      'openid',
      'operator',
      'outbound',
      'receipts',
      'registries',
      'secrets',
      'sign-in-settings',
      'uploads',
    ],
  ],
  'upload-worker.ts': [
    ...['api', 'containers', 'dast', 'db', 'http', 'reachability', 'sast', 'tech-stack', 'uploads', 'vex'],
  ],
};

interface Import {
  /** Paths below `src`. */
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

/** Relative imports as paths below `src`, packages by their names. */
const imports: readonly Import[] = files.flatMap((from) => {
  const source = readFileSync(resolve(root, 'src', from), 'utf8');
  const pattern = /(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|import\('([^']+)'\)|import\s+'([^']+)'/g;
  return [...source.matchAll(pattern)].map(([, type, named, dynamic, bare]) => {
    const specifier = named ?? dynamic ?? bare ?? '';
    const path = specifier.startsWith('.') ? join(from, '..', specifier).replace(/\.js$/, '.ts') : specifier;
    return { from, to: files.includes(`${path}x`) ? `${path}x` : path, typeOnly: type !== undefined };
  });
});

/** The part of `folder` that a path lies in; undefined for a path elsewhere. */
function partOf(folder: string, path: string): string | undefined {
  return path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined;
}

describe.each([
  { folder: '', layers: modules },
  { folder: 'service/', layers: serviceFolders },
])('the layers of src/$folder', ({ folder, layers }) => {
  test('name every folder and file there is', () => {
    const parts = files.flatMap((file) => partOf(folder, file) ?? []);
    expect(Object.keys(layers).sort()).toEqual([...new Set(parts)].sort());
  });

  test('have no circle: each names lower ones only', () => {
    const order = Object.keys(layers);
    const upward = Object.entries(layers).flatMap(([part, allowed], place) =>
      allowed.filter((each) => !order.slice(0, place).includes(each)).map((each) => `${part} -> ${each}`),
    );
    expect(upward).toEqual([]);
  });

  test.each(Object.entries(layers))('%s imports these and no others: %j', (part, allowed) => {
    const arrows = imports
      .filter(({ from, to }) => partOf(folder, from) === part && files.includes(to))
      .map((each) => ({ ...each, target: partOf(folder, each.to) }))
      .filter(({ target }) => target !== undefined && target !== part);
    const forbidden = arrows.filter(({ target = '' }) => !allowed.includes(target));
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
    expect(allowed.filter((each) => !arrows.some(({ target }) => target === each))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(resolve(root, 'ARCHITECTURE.md'), 'utf8');

  /** The cells of a section's table, as the names in backticks. */
  function tableOf(section: string): string[][][] {
    const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
    const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+$/.test(line));
    const cells = rows.slice(1).map((row) => row.split('|').slice(1, -1));
    return cells.map((row) => row.map((cell) => [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, name = '']) => name)));
  }

  test('names each module and what it may import', () => {
    const rows = tableOf('Modules').map(([names = [], , imported = []]) => [names.join(), imported.sort()]);
    expect(Object.fromEntries(rows)).toEqual(modules);
    expect(rows).toHaveLength(Object.keys(modules).length);
  });

  test('names the folders of the service from high to low, and those of a row from left to right', () => {
    const rows = tableOf('Layers of the service').map(([, folders = []]) => folders);
    expect(rows.reverse().flat()).toEqual(Object.keys(serviceFolders));
  });
});

describe('the modules of src', () => {
  test('every relative import is a file that is checked here', () => {
    const unknown = imports.filter(({ to }) => to.startsWith('.') || (/\.ts$/.test(to) && !files.includes(to)));
    expect(unknown.filter(({ to }) => !to.endsWith('.json'))).toEqual([]);
  });

  test('the procedures import no package but zod', () => {
    const packages = imports.filter(({ from, to }) => from.startsWith('procedures/') && !files.includes(to));
    expect([...new Set(packages.map(({ to }) => to))]).toEqual(['zod']);
  });

  test('the dashboard imports no package that only a server has', () => {
    const bare = imports.filter(
      ({ from, to }) => from.startsWith('web/') && /^(?:node:|express|pg|pino|undici)/.test(to),
    );
    expect(bare).toEqual([]);
  });

  test('the dashboard imports of the procedures who may call them, and no schema', () => {
    const fromProcedures = imports.filter(({ from, to }) => from.startsWith('web/') && to.startsWith('procedures/'));
    expect(fromProcedures.map(({ to }) => to)).toEqual(['procedures/permissions.ts']);
    const values = imports.filter(({ from, typeOnly }) => from === 'procedures/permissions.ts' && !typeOnly);
    expect(values).toEqual([]);
  });

  test('the client imports only types from the gateway', () => {
    const fromGateway = imports.filter(({ from, to }) => from.startsWith('client/') && to.startsWith('gateway/'));
    expect(fromGateway.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
  });
});
