import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { environment } from '../src/env.js';
import { posture } from '../src/procedures/posture.js';
import { root } from './support/build.js';

const guides = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
const pages = ['README.md', 'docs/README.md', ...guides.map((name) => `docs/${name}`)];
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(text: string): string[] {
  const headings = withoutBlocks(text).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a page that lead nowhere in this repository. */
function brokenLinks(name: string, text: string): string[] {
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? name : path.join(path.dirname(name), file);
    if (target !== name && !existsSync(path.join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target === name ? text : read(target)).includes(anchor);
  });
}

/** Variables of a document's text that the server does not read, by the program that does. */
const ofOthers: ReadonlySet<string> = new Set([
  'NODE_V8_COVERAGE', // Node
  ...['TEST_DATABASE_URL', 'CHROMIUM'], // tests
]);

describe.each(pages)('%s', (name) => {
  const text = read(name);

  test('has links and anchors that lead somewhere', () => {
    expect(brokenLinks(name, text)).toEqual([]);
  });

  test('has JSON that parses', () => {
    for (const [, block = ''] of text.matchAll(/^```json\n(.*?)^```$/gms))
      expect(() => JSON.parse(block)).not.toThrow();
  });

  test('names variables that exist', () => {
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, variable = '']) => variable,
    );
    expect(named.filter((variable) => !(variable in environment.shape) && !ofOthers.has(variable))).toEqual([]);
  });
});

/** Each kind of snippet in the guides, and the test that holds it. */
const holders: Readonly<Record<string, string>> = {
  sh: 'test/bin/documented-commands-run.test.ts',
  json: 'test/bin/documented-commands-run.test.ts', // The answer of a tool is held below.
  ts: 'test/clients/client-types.test.ts',
  nginx: 'test/support/nginx.ts',
  ini: 'test/support/pgbouncer.ts',
  text: 'test/verdict/guide.test.ts',
};

test('each snippet of the guides is of a kind that a test holds', () => {
  const kinds = guides.flatMap((name) =>
    [...read(`docs/${name}`).matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, kind = '']) => kind),
  );
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(holders).sort());
  for (const file of Object.values(holders)) expect(existsSync(path.join(root, file))).toBe(true);
});

test('the answer in docs/agents.md is one that get_top_risks can give, without its coverage', () => {
  const answers = [...read('docs/agents.md').matchAll(/^```json\n(\{\n {2}"risks"[\s\S]*?)^```$/gm)];
  expect(answers).toHaveLength(1);
  const { coverage: _coverage, ...shape } = posture.getTopRisks.output.shape;
  expect(() => z.strictObject(shape).parse(JSON.parse(answers[0]?.[1] ?? ''))).not.toThrow();
});

/** Written by a build, methods of MCP, and an example. */
const noFiles: ReadonlySet<string> = new Set([
  ...['dist/web', 'dist/client.d.ts', '.postern/first-run.json'],
  ...['tools/call', 'tools/list', 'src/a.ts'],
]);

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names files and folders that exist', (page) => {
  const folders = ['bench', 'deploy', 'docs', 'evals', 'knowledge', 'prove', 'scripts', 'src', 'test'];
  const present = [
    ...readdirSync(root),
    ...folders.flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    ),
  ].map((name) => `/${name}`);
  const spans = withoutBlocks(read(page)).matchAll(/`([\w.-]+(?:\/[\w.-]*)+|[\w-]+\.(?:js|json|md|ts|tsx))`/g);
  const named = [...new Set([...spans].map(([, name = '']) => name.replace(/\/$/, '')))];
  expect(named.length).toBeGreaterThan(20);
  const absent = named.filter((name) => !noFiles.has(name) && !present.some((each) => each.endsWith(`/${name}`)));
  expect(absent).toEqual([]);
});

test('every guide is in the index', () => {
  const index = read('docs/README.md');
  expect(guides.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

test.each([
  ['[a](nowhere.md)', 'nowhere.md'],
  ['[a](docs/agents.md#nowhere)', 'docs/agents.md#nowhere'],
  ['# One\n[a](#two)', '#two'],
])('this test sees that %j leads nowhere', (text, link) => {
  expect(brokenLinks('README.md', text)).toEqual([link]);
});
