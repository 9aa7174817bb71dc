import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readLockfile } from '../../../../src/reach/lockfiles/lockfile.js';
import { folderWith } from '../../folder.js';
import { loopbackRegistry } from '../loopback-registry.js';
import { samplePackages, sampleProject } from '../sample-packages.js';

const listed = z.object({ dependencies: z.record(z.string(), z.object({ version: z.string() })) });

/** Packages that lie in a folder, by their places: `node_modules/a/node_modules/@s/b`. */
function installedIn(folder: string): Set<string> {
  const places = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const isPackage = (place: string) =>
    /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*$/.test(place) && existsSync(join(folder, place, 'package.json'));
  return new Set(places.filter(isPackage));
}

test('package-lock.json of an installed tree agrees with what npm installs and lists', async () => {
  const registry = await loopbackRegistry(samplePackages);
  const folder = folderWith({ 'package.json': JSON.stringify(sampleProject) });
  const home = folderWith({});
  const npm = async (...args: string[]) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      npm_config_userconfig: join(home, 'npmrc'),
      npm_config_cache: join(home, 'cache'),
      npm_config_registry: registry,
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
    return (await promisify(execFile)('npm', args, { cwd: folder, env })).stdout;
  };
  await npm('install', '--ignore-scripts');
  const all = installedIn(folder);
  const direct = Object.keys(listed.parse(JSON.parse(await npm('ls', '--json', '--depth', '0'))).dependencies);
  await npm('ci', '--ignore-scripts', '--omit=dev');
  const production = installedIn(folder);
  await npm('ci', '--ignore-scripts', '--omit=dev', '--omit=optional');
  const required = installedIn(folder);
  expect([all.size > production.size, production.size > required.size, required.size > 5]).toEqual([true, true, true]);

  const { packages } = await readLockfile(join(folder, 'package-lock.json'));
  const scopeOf = (place: string) =>
    required.has(place) ? 'runtime' : production.has(place) ? 'optional' : 'development';
  const found = packages.filter(({ key }) => all.has(key)).map(({ key, scope }) => `${key} ${scope}`);
  expect(found.sort()).toEqual([...all].map((place) => `${place} ${scopeOf(place)}`).sort());
  // No system can install these two.
  expect(packages.filter(({ key }) => !all.has(key)).map(({ name, scope }) => `${name} ${scope}`)).toEqual([
    'native optional',
    'only-native optional',
  ]);
  const isDirect = packages.flatMap((each) => (each.direct ? each.key.replace('node_modules/', '') : []));
  expect(isDirect.sort()).toEqual(direct.sort());
});
