import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataFile, hasData } from '../../../support/data.js';
import { type Read, readFolder } from './reading.js';

describe.skipIf(!hasData).each([
  ['nodegoat', 'package-lock.json'],
  ['juice-shop', 'package-lock.generated-2026-11-21.json'],
])('%s', (app, lockfile) => {
  let found: Read;
  let names: Set<string>;
  const folder = dataFile(`apps/${app}`);

  beforeAll(async () => {
    const lock: { packages?: object; dependencies?: object } = JSON.parse(
      readFileSync(dataFile(`lockfiles/${app}/${lockfile}`), 'utf8'),
    );
    const places = Object.keys(lock.packages ?? lock.dependencies ?? {});
    names = new Set(places.map((place) => place.replace(/^.*node_modules\//, '')));
    found = await readFolder(folder, [...names]);
  });

  test('every site has the specifier of its package at its line and column', () => {
    const wrong = found.uses.filter(({ packageName, site }) => {
      const line = readFileSync(join(folder, site.file), 'utf8').split('\n')[site.line - 1] ?? '';
      const at = line.slice(site.column - 1);
      const name = packageName.startsWith('@types/') ? '' : packageName;
      if (site.kind === 'mention')
        return !(
          at.startsWith(name) ||
          line.includes(name.split('/').at(-1)?.replace('-cli', '') ?? '') ||
          // TypeScript's programs, and the driver that an object mapper loads for a database.
          /tsc|tsx|dialect: 'sqlite'/.test(line)
        );
      return !new RegExp(`^["'\`]${name}`).test(at);
    });
    expect(wrong).toEqual([]);
    expect(found.uses.length).toBeGreaterThan(40);
  });

  test('every line that plainly imports a package of the lock file has a site', () => {
    const plain = /^\s*(?:import [^'"]*from |(?:const|var|let) [\w{}, ]+ = require\()["']((?:@[\w-]+\/)?[\w.-]+)["']/;
    const sites = new Set(found.uses.map(({ packageName, site }) => `${site.file}:${site.line} ${packageName}`));
    const files = [...new Set(found.uses.map(({ site }) => site.file))].filter((file) => /\.[jt]s$/.test(file));
    const missing = files.flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          const name = plain.exec(line)?.[1];
          return name !== undefined &&
            names.has(name) &&
            !sites.has(`${file}:${at + 1} ${name}`) &&
            !isBuiltinName(name)
            ? [`${file}:${at + 1} ${name}`]
            : [];
        }),
    );
    expect(missing).toEqual([]);
  });

  test('all of it is read', () => {
    expect(found).toMatchObject({ parseErrors: 0, skipped: 0 });
    expect(found.reached.length).toBeGreaterThan(10);
  });
});

const isBuiltinName = (name: string) =>
  ['path', 'fs', 'http', 'util', 'crypto', 'url', 'events', 'assert'].includes(name);

describe.skipIf(!hasData)('the traps', () => {
  test.each(['hbs', 'libxml2-wasm'])(
    '%s is mentioned by the code of the shop that production reaches',
    async (name) => {
      const found = await readFolder(dataFile('apps/juice-shop'), [name]);
      expect(found.sitesOf(name)).toMatchObject([
        { kind: 'mention', role: 'prod', reached: true },
        { kind: 'mention' },
      ]);
    },
  );

  test.each(['helmet', 'csurf', 'dont-sniff-mimetype'])(
    '%s occurs only in comments and pages, and is not used',
    async (name) => {
      const found = await readFolder(dataFile('apps/nodegoat'), [name, 'express']);
      expect(found.sitesOf(name)).toEqual([]);
      expect(found.sitesOf('express')).not.toEqual([]);
    },
  );
});
