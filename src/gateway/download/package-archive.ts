import { createHash } from 'node:crypto';
import { packTar } from 'modern-tar';
import { readPackage } from './package-files.js';
import { storedGzip } from './stored-gzip.js';

/** The package as npm installs it, and its digests. */
export interface PackageArchive {
  readonly bytes: Buffer;
  readonly sha256: Buffer;
  readonly sha512: Buffer;
}

/** The time that npm gives all files of a package, which zip files can hold too. */
const mtime = new Date('1985-10-26T08:15:00Z');

/** Packs the package in a folder. The same files give the same bytes, on every machine: only names and contents go in. */
export async function packageArchive(root: string): Promise<PackageArchive> {
  const files = await readPackage(root);
  const tar = await packTar(
    files.map(({ name, isProgram, bytes }) => ({
      header: { name: `package/${name}`, size: bytes.length, mode: isProgram ? 0o755 : 0o644, mtime, uid: 0, gid: 0 },
      body: bytes,
    })),
  );
  const bytes = storedGzip(tar);
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest();
  return { bytes, sha256: digest('sha256'), sha512: digest('sha512') };
}
