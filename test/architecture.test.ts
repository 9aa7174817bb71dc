import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Who may import whom, beside itself: the rooms of src and the doors between them. */
const doors: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  procedures: ['shared'],
  verdict: ['shared'],
  gateway: ['shared', 'procedures'],
  service: ['shared', 'procedures', 'verdict'],
  reach: ['shared', 'procedures', 'verdict'],
  client: ['procedures', 'gateway'],
  bin: ['shared', 'procedures', 'gateway', 'service', 'reach', 'env.ts'],
  'env.ts': [],
};

const files = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

function importsOf(file: string): { specifier: string; typeOnly: boolean }[] {
  const source = readFileSync(resolve(root, 'src', file), 'utf8');
  return [
    ...source.matchAll(/(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|import\('([^']+)'\)|import\s+'([^']+)'/g),
  ].map(([, typeOnly, from, dynamic, bare]) => ({
    specifier: from ?? dynamic ?? bare ?? '',
    typeOnly: typeOnly !== undefined,
  }));
}

const roomOf = (file: string) => file.split('/')[0] ?? file;

describe('the rooms of src', () => {
  test('are all known here', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in doors))).toEqual([]);
  });

  test.each(Object.entries(doors))('%s imports only %j', (room, allowed) => {
    const strays = files
      .filter((file) => roomOf(file) === room)
      .flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('.json'))
          .map(({ specifier }) => relative(resolve(root, 'src'), resolve(root, 'src', dirname(file), specifier)))
          .map((target) => roomOf(target.replace(/\.js$/, '.ts')))
          .filter((target) => target !== room && !allowed.includes(target))
          .map((target) => `${file} -> ${target}`),
      );
    expect(strays).toEqual([]);
  });

  test('procedures import nothing but zod, the client takes only types from the gateway', () => {
    const packages = files
      .filter((file) => roomOf(file) === 'procedures')
      .flatMap((file) => importsOf(file).map(({ specifier }) => specifier));
    expect([...new Set(packages.filter((specifier) => !specifier.startsWith('.')))]).toEqual(['zod']);
    const fromGateway = files
      .filter((file) => roomOf(file) === 'client')
      .flatMap((file) =>
        importsOf(file).filter(({ specifier, typeOnly }) => specifier.includes('/gateway/') && !typeOnly),
      );
    expect(fromGateway).toEqual([]);
  });
});
