import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folderWith } from '../folder.js';

/** What a package's package.json says, beside its name and version. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Packs a package as registries hold it: a tarball whose one folder is `package`. */
export function packed(name: string, version: string, manifest: Manifest): { path: string; bytes: Buffer } {
  const folder = folderWith({});
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version, ...manifest }));
  const path = join(folder, 'packed.tgz');
  execFileSync('tar', ['-czf', path, '-C', folder, 'package']);
  return { path, bytes: readFileSync(path) };
}

/**
 * A registry of npm's kind on the loopback interface, closed when the test is over.
 *
 * @param packages by `name@version`
 * @returns its URL
 */
export async function loopbackRegistry(packages: Readonly<Record<string, Manifest>>): Promise<string> {
  const tarballs = new Map<string, Buffer>();
  const versions = new Map<string, Record<string, Manifest>>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const tarball = tarballs.get(path);
    const known = versions.get(path);
    if (tarball !== undefined) response.end(tarball);
    else if (known === undefined) response.writeHead(404).end('{}');
    else {
      const latest = Object.keys(known).at(-1);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name: path, 'dist-tags': { latest }, versions: known }));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The registry listens on no port.');
  const url = `http://127.0.0.1:${address.port}/`;
  for (const [key, manifest] of Object.entries(packages)) {
    const at = key.lastIndexOf('@');
    const [name, version] = [key.slice(0, at), key.slice(at + 1)];
    const { bytes } = packed(name, version, manifest);
    const file = `tarballs/${key}.tgz`;
    tarballs.set(file, bytes);
    const dist = {
      tarball: `${url}${file.split('/').map(encodeURIComponent).join('/')}`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
    };
    versions.set(name, { ...versions.get(name), [version]: { name, version, ...manifest, dist } });
  }
  return url;
}
