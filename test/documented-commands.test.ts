import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { welcome } from '../src/bin/welcome.js';
import { root } from './support/build.js';

const programs = Object.keys(manifest.bin);
const scripts = new Set(Object.keys(manifest.scripts));
const ours = /^https?:\/\/[^/\s]+\/download\/postern\.tgz$/;

/** Programs of others that a reader has or installs on purpose. None of them fetches a package by a name of ours. */
const known = ['claude', 'curl', 'docker', 'export', 'kubectl', 'node', 'npm', 'npx', 'pg_basebackup', 'systemctl'];

const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map(({ name, parentPath }) => path.relative(root, path.join(parentPath, name)));

const start = welcome({
  url: 'https://postern.example.com',
  hasDashboard: true,
  upstream: null,
  first: null,
  dataDir: '.postern',
  mcpRouter: '/opt/postern/dist/mcp-router.js',
  isTerminal: true,
});

const documents: Array<readonly [string, string]> = [
  ...[
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    '.env.example',
    ...filesIn('docs', /\.md$/),
    ...filesIn('deploy', /\.(?:md|yaml|service)$/),
  ].map((name) => [name, read(name)] as const),
  ['what the start prints', start],
];

/** What is wrong with a call of npx or npm, given the words after the program's name; null if nothing is. */
function fault(program: string, words: readonly string[]): string | null {
  const call = [program, ...words].join(' ');
  if (words.length === 0) return null;
  if (program === 'npx') {
    const [yes, flag, from = '', name = ''] = words;
    const isOurs = yes === '--yes' && flag === '--package' && ours.test(from) && programs.includes(name);
    return isOurs ? null : `runs a package by a name: ${call}`;
  }
  const [command = '', ...rest] = words;
  if (command === 'run') return scripts.has(rest[0] ?? '') ? null : `is no script of ours: ${call}`;
  if (['ci', 'start', 'test', 'publish'].includes(command)) return null;
  if (command !== 'install') return `is no command that this test knows: ${call}`;
  return rest.filter((word) => !word.startsWith('-')).every((word) => ours.test(word))
    ? null
    : `installs by a name: ${call}`;
}

/** The calls of package managers in a text: each to the end of its line, its code span or the next command. */
function callsIn(text: string): Array<readonly [string, string[]]> {
  const word =
    'npx|npm (?=(?:add|ci|create|exec|i|init|install|publish|run|start|test|x)\\b)|(?:pnpm|yarn) (?=(?:add|create|dlx|exec|install)\\b)|pnpx|bunx|bun x';
  const found = text.matchAll(new RegExp(`(?<![\\w./@-])(${word})(?: ?([^\`\\n"]*))?(?=[\`\\n"])`, 'g'));
  return [...found].flatMap(([, program = '', rest = '']) =>
    `${program.trim()} ${rest}`.split(/&&|[;|]/).flatMap((part): Array<readonly [string, string[]]> => {
      const [name = '', ...words] = part.replace(/\s#.*/, '').trim().split(/\s+/);
      return ['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun'].includes(name) ? [[name, words]] : [];
    }),
  );
}

const blocksOf = (language: string, text: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

const serverEntry = z.object({ command: z.string(), args: z.array(z.string()) });

/** The programs that a configuration in JSON starts. */
function startedBy(value: unknown): Array<z.infer<typeof serverEntry>> {
  if (typeof value !== 'object' || value === null) return [];
  const entry = serverEntry.safeParse(value);
  return entry.success ? [entry.data] : Object.values(value).flatMap(startedBy);
}

describe.each(documents)('the commands in %s', (_name, text) => {
  test('take no package by a name', () => {
    const faults = callsIn(text).map(([program, words]) => fault(program, words));
    expect(faults.filter((each) => each !== null)).toEqual([]);
  });

  test('start our programs, or those of others that are known', () => {
    const lines = blocksOf('sh', text).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
    const first = lines.flatMap((line) => /^(?:[A-Z_]+=\S* )*([\w./-]+)/.exec(line)?.[1] ?? []);
    expect(first.filter((word) => !known.includes(word) && !programs.includes(word))).toEqual([]);
  });

  test('that a configuration starts are ours, by address or by path', () => {
    const blocks = [...blocksOf('json', text), ...[...text.matchAll(/^\{\n[\s\S]*?\n\}$/gm)].map(([block]) => block)];
    for (const { command, args } of blocks.map((block): unknown => JSON.parse(block)).flatMap(startedBy)) {
      if (command === 'npx') expect(fault('npx', args)).toBeNull();
      else expect([path.isAbsolute(command), args.every((arg) => path.isAbsolute(arg))]).toEqual([true, true]);
    }
  });
});

test('the commands of pages, errors and help come from one place, which names our address', () => {
  const sources = [
    'bin',
    'client',
    'gateway',
    'service',
    'shared',
    'web',
    'reach/commands',
    'reach/remote',
    'reach/report',
  ]
    .flatMap((folder) => filesIn(`src/${folder}`, /\.tsx?$/))
    .filter((name) => !name.startsWith('src/service/sample/'));
  const named = sources.filter((name) => /\b(?:npx\b|bunx\b|pnpx\b|npm (?:exec|install|i) )/.test(read(name)));
  expect(named.sort()).toEqual(
    [
      // Takes a member's own package up to its fixed version.
      'src/web/pages/alerts/detail/fix-command.ts',
      'src/web/components/copy/our-command.ts',
      'src/web/pages/connect/agents.ts',
    ].sort(),
  );
  expect(read('src/web/components/copy/our-package.ts')).toContain(
    "['--yes', '--package', `${origin}/download/postern.tgz`]",
  );
  expect(read('src/web/pages/connect/agents.ts')).toContain("args: [...ourPackage(origin), 'mcp-router']");
});

test.each([
  ['npx reach sync .', 'runs a package by a name'],
  ['npx --yes --package postern reach sync .', 'runs a package by a name'],
  ['npx --yes --package https://a.example/download/postern.tgz other', 'runs a package by a name'],
  ['npm install postern', 'installs by a name'],
  ['cd x && npm i postern', 'is no command that this test knows'],
  ['yarn add postern', 'is no command that this test knows'],
  ['npm run nothing', 'is no script of ours'],
])('this test sees %s', (command, reason) => {
  const [[program, words] = ['', []]] = callsIn(`${command.replace('cd x && ', '')}\n`);
  expect(fault(program, words)).toContain(reason);
});
