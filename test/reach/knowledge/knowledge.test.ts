import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseKnowledge } from '../../../src/reach/knowledge/knowledge-file.js';
import { frameworksFolder } from '../../../src/reach/knowledge/knowledge-set.js';
import { root } from '../../support/build.js';
import { ageOf } from './age.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const below = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name));

const files = below('knowledge', /\.json$/);
const sources = below('src/reach', /\.ts$/).map((path) => read(`src/reach/${path}`));

/** A page of a public host, without a user, a port or a query. */
const isPublicPage = (link: string) =>
  /^https:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}\/[\w./$#@&%~+-]*$/i.test(link) &&
  !/\.(?:local|internal|localhost|example|test|invalid|lan|corp|home)$/.test(new URL(link).hostname);

describe.each(files)('knowledge/%s', (path) => {
  const file = parseKnowledge(path, read(`knowledge/${path}`));
  const readers = sources.filter((text) => text.includes(`Of('${path.replace(/\.json$/, '')}')`));

  test('is read, each of its lists', () => {
    if (!path.startsWith(frameworksFolder)) expect(readers).not.toEqual([]);
    const names = 'lists' in file ? Object.keys(file.lists) : [];
    expect(names.filter((name) => !readers.some((text) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual([]);
  });

  test('links public pages', () => {
    expect(file.source.filter((link) => !isPublicPage(link))).toEqual([]);
  });

  test('is not older than a year', () => {
    const age = ageOf(file.checked, Date.now());
    if (age === 'due') console.warn(`knowledge/${path}: compare it with its source again (${file.checked})`);
    expect(age).not.toBe('stale');
  });

  test('names a generator that exists and writes it', () => {
    if (!('generated_by' in file) || file.generated_by === undefined) return;
    expect(existsSync(join(root, file.generated_by))).toBe(true);
    expect(read(file.generated_by)).toContain(`'knowledge/${path}'`);
    expect(file.inputs).toBeDefined();
  });
});

test.each([
  ['2026-01-01T00:00:00Z', 'fresh'],
  ['2026-04-01T00:00:00Z', 'fresh'],
  ['2026-04-02T00:00:00Z', 'due'],
  ['2027-01-01T00:00:00Z', 'due'],
  ['2027-01-02T00:00:00Z', 'stale'],
  ['2025-12-31T00:00:00Z', 'fresh'],
] as const)('what was checked on 2026-01-01 is at %s %s', (now, age) => {
  expect(ageOf('2026-01-01', Date.parse(now))).toBe(age);
});

test.each([
  'https://localhost/docs',
  'https://wiki.corp/docs',
  'https://10.0.0.1/docs',
  'https://user@docs.example.com/',
  'https://docs.python.org:8443/',
  'https://docs.python.org/?token=1',
  'http://docs.python.org/',
])('%s is no link to a public page', (link) => {
  expect(isPublicPage(link)).toBe(false);
});
