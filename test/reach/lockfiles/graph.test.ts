import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

async function graphs(files: Readonly<Record<string, unknown>>) {
  const { packages } = await readFrom(files);
  return Object.fromEntries(packages.map(({ name, graph }) => [name, graph]));
}

test('a lock file knows all dependencies of a package, unless one is missing or not of a registry', async () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1' }, optionalDependencies: { fsevents: '1' } },
      'node_modules/b': { version: '1.0.0', dependencies: { own: '1' } },
      'node_modules/c': { version: '1.0.0', dependencies: { missing: '1' }, peerDependencies: { peer: '1' } },
      'node_modules/own': { resolved: 'packages/own', link: true },
      'packages/own': { name: 'own', version: '1.0.0' },
    },
  };
  expect(await graphs({ 'package-lock.json': lock })).toEqual({ a: 'complete', b: 'incomplete', c: 'incomplete' });
});

test('requirements know it only with the notes of pip-compile', async () => {
  expect(await graphs({ 'requirements.txt': 'flask==3.0.0\nclick==8.1.7' })).toEqual({
    flask: undefined,
    click: undefined,
  });
  expect(await graphs({ 'requirements.txt': 'flask==3.0.0\nclick==8.1.7  # via flask' })).toEqual({
    flask: 'complete',
    click: 'complete',
  });
});

test('go.mod does not know it', async () => {
  expect(await graphs({ 'go.mod': 'module a\n\nrequire github.com/pkg/errors v0.9.1\n' })).toEqual({
    'github.com/pkg/errors': undefined,
  });
});
