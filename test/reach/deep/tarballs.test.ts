import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith } from '../folder.js';
import { follow, hiddenNames, loadedNames, project } from './following.js';

type Files = Readonly<Record<string, string>>;

async function tarball(name: string, files: Files): Promise<Buffer> {
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0' }), ...files };
  const entries = Object.entries(all).map(([path, body]) => ({
    header: { name: `package/${path}`, size: Buffer.byteLength(body) },
    body,
  }));
  return gzipSync(await packTar(entries));
}

function integrity(bytes: Buffer, algorithm = 'sha512'): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
}

/** A registry that answers these paths, closed when the test is over. */
async function registry(answers: Readonly<Record<string, Buffer | number | string>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers[path] ?? 404;
    if (typeof answer === 'number') response.writeHead(answer).end('no');
    else if (typeof answer === 'string') response.writeHead(302, { location: answer }).end();
    else response.end(answer);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The registry listens on no port.');
  return { url: `http://127.0.0.1:${address.port}/`, asked };
}

const dependsOnB = { manifest: { dependencies: { b: '*' } } };

test('what is not installed is read from its registry once, checked, and kept', async () => {
  const a = await tarball('a', { 'index.js': "require('./lib/x')", 'lib/x.js': "require('b')", 'a.css': 'x' });
  const { url, asked } = await registry({ '/a/-/a-1.0.0.tgz': a });
  const locked = { integrity: integrity(a, 'sha1') };
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: { ...dependsOnB, locked }, b: {} }, ['b']));
  const cacheFolder = join(folderWith({}), 'cache');
  const first = await follow(root, { cacheFolder, registry: url });
  expect(loadedNames(first)).toEqual(['a 1.0.0', 'b 1.0.0']);
  expect(asked).toEqual(['/a/-/a-1.0.0.tgz']);
  expect(statSync(cacheFolder).mode & 0o777).toBe(0o700);
  expect(await follow(root, { cacheFolder, registry: url })).toEqual(first);
  expect(asked).toHaveLength(1);
});

test('files of many chunks are unpacked, those that are not read are passed over', async () => {
  const large = '//'.padEnd(3_000_000, 'x');
  const files = { 'data.css': large, 'add-on.node': large, 'a.map': large, 'index.js': `require('b')\n${large}` };
  const a = await tarball('a', files);
  const { url } = await registry({ '/a/-/a-1.0.0.tgz': a });
  const locked = { integrity: integrity(a) };
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: { ...dependsOnB, locked }, b: {} }, ['b']));
  const cacheFolder = join(folderWith({}), 'cache');
  expect(loadedNames(await follow(root, { cacheFolder, registry: url }))).toEqual(['a 1.0.0', 'b 1.0.0']);
});

test('redirects are followed, and packages load packages', async () => {
  const a = await tarball('a', { 'index.js': "require('@scope/b/x')" });
  const b = await tarball('@scope/b', { 'x.js': "require('c')" });
  const { url } = await registry({ '/a/-/a-1.0.0.tgz': a, '/moved': '/elsewhere/b.tgz', '/elsewhere/b.tgz': b });
  const root = folderWith(
    project(
      { 'app.js': "import 'a'" },
      {
        a: { manifest: { dependencies: { '@scope/b': '*' } }, locked: { integrity: integrity(a) } },
        '@scope/b': {
          manifest: { dependencies: { c: '*' } },
          locked: { integrity: `sha1-x ${integrity(b)}`, resolved: `${url}moved` },
        },
        c: {},
      },
      ['c'],
    ),
  );
  const found = await follow(root, { cacheFolder: join(folderWith({}), 'cache'), registry: url });
  expect(loadedNames(found)).toEqual(['@scope/b 1.0.0', 'a 1.0.0', 'c 1.0.0']);
  expect(found.gaps).toEqual([]);
});

const good = await tarball('a', { 'index.js': '1' });
const outOfIt = gzipSync(await packTar([{ header: { name: 'package/../../evil.js', size: 1 }, body: 'x' }]));
const link = gzipSync(
  await packTar([
    { header: { name: 'package/package.json', size: 30 }, body: '{"name":"a","version":"1.0.0"}' },
    { header: { name: 'package/index.js', size: 0, type: 'symlink', linkname: '/etc/passwd' } },
  ]),
);
const tooLarge = gzipSync(
  await packTar([{ header: { name: 'package/a.js', size: 65 * 1024 * 1024 }, body: new Uint8Array(65 * 1024 * 1024) }]),
);

test.each([
  ['other bytes than the integrity says', good, { integrity: integrity(Buffer.from('x')) }, 'its bytes are not'],
  ['no integrity', good, {}, 'no integrity'],
  ['an unknown digest', good, { integrity: 'md5-XrY7u+Ae7tCTyyK7j1rNww==' }, 'no integrity'],
  ['an answer of 404', 404, { integrity: integrity(good) }, 'answered 404'],
  ['an answer of 403', 403, { integrity: integrity(good) }, 'answered 403'],
  ['another package', await tarball('z', {}), null, 'another package'],
  ['a path that leads out of it', outOfIt, null, 'leads out'],
  ['a file that no package has', tooLarge, null, 'more than a package has'],
  ['no archive', Buffer.from('no archive'), null, 'cannot be had'],
  [
    'a plain address',
    good,
    { integrity: integrity(good), resolved: 'http://registry.example/a.tgz' },
    'not one of https',
  ],
  [
    'another local port',
    good,
    { integrity: integrity(good), resolved: 'http://127.0.0.1:9/a.tgz' },
    'not one of https',
  ],
  ['a file', good, { integrity: integrity(good), resolved: 'file:///etc/passwd' }, 'not one of https'],
])('%s: the package is loaded, and hides what lies below it', async (_, answer, given, why) => {
  const { url } = await registry({ '/a/-/a-1.0.0.tgz': answer });
  const locked = given ?? (typeof answer === 'number' ? {} : { integrity: integrity(answer) });
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: { ...dependsOnB, locked }, b: {} }, []));
  const cache = folderWith({});
  const found = await follow(root, { cacheFolder: join(cache, 'cache'), registry: url });
  expect(loadedNames(found)).toEqual(['a 1.0.0']);
  expect(hiddenNames(found)).toEqual(['b']);
  expect(found.gaps[0]?.detail).toContain(why);
  expect(existsSync(join(cache, 'evil.js'))).toBe(false);
  // Nothing half done stays.
  expect(readdirSync(join(cache, 'cache')).filter((name) => /\.[\da-f]{12}/.test(name))).toEqual([]);
});

test('a link in an archive is no file', async () => {
  const { url } = await registry({ '/a/-/a-1.0.0.tgz': link });
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: { locked: { integrity: integrity(link) } } }, []));
  const cacheFolder = join(folderWith({}), 'cache');
  await follow(root, { cacheFolder, registry: url });
  const [folder = ''] = readdirSync(cacheFolder);
  expect(readdirSync(join(cacheFolder, folder))).toEqual(['package.json']);
});

test('without a cache folder nothing is downloaded', async () => {
  const { url, asked } = await registry({ '/a/-/a-1.0.0.tgz': good });
  const locked = { integrity: integrity(good) };
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: { ...dependsOnB, locked }, b: {} }, []));
  expect(hiddenNames(await follow(root, { registry: url }))).toEqual(['b']);
  expect(asked).toEqual([]);
});

/** A zip archive of stored entries (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16). */
function zip(files: Files): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, content]);
    local.push(entry);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, place, name]));
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(local.length, 4);
  end.writeUInt16LE(local.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end]);
}

const yarnLock = `__metadata:
  version: 8
"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  dependencies:
    b: "npm:^1.0.0"
"b@npm:^1.0.0":
  version: 1.0.0
  resolution: "b@npm:1.0.0"
"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    a: "npm:^1.0.0"
`;

const yarnProject = {
  'app.js': "import 'a'",
  'package.json': '{"dependencies":{"a":"^1.0.0"}}',
  'yarn.lock': yarnLock,
};

test("the archives of Yarn's cache", async () => {
  const files = {
    'node_modules/a/package.json': '{"name":"a","version":"1.0.0","dependencies":{"b":"^1"}}',
    'node_modules/a/index.js': "require('b')",
  };
  const root = folderWith({ ...yarnProject, '.yarn/cache/a-npm-1.0.0-0123456789-0123456789.zip': zip(files) });
  const found = await follow(root);
  expect(loadedNames(found)).toEqual(['a 1.0.0', 'b 1.0.0']);
  expect(found.loaded[1]?.chain.map(({ file }) => file)).toEqual(['app.js', 'index.js', 'package.json']);
});

test("a cache of Yarn's that lies outside of the tree, and an archive that leads out", async () => {
  const outside = folderWith({});
  writeFileSync(
    join(outside, 'a-npm-1.0.0-0-0.zip'),
    zip({ 'node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
  );
  const linked = folderWith({ ...yarnProject, '.yarn/x': '' });
  symlinkSync(outside, join(linked, '.yarn/cache'));
  const leading = folderWith({
    ...yarnProject,
    '.yarn/cache/a-npm-1.0.0-0-0.zip': zip({ 'node_modules/a/../../x.js': '' }),
  });
  for (const root of [linked, leading]) expect(hiddenNames(await follow(root))).toEqual(['b']);
});
