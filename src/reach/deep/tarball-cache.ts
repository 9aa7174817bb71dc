import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { DownloadError, download, registryOf, tarballAddress } from './download.js';
import { type Digest, strongestDigest } from './integrity.js';
import { ArchiveError } from './package-writer.js';
import { unpackTarball } from './unpack-tarball.js';

/** Downloads at the same time. */
const maxConcurrent = 8;

/** A folder of an unpacked package, or the reason why there is none. */
export type Unpacked = { readonly folder: string } | { readonly failure: string };

/**
 * Unpacked tarballs in a folder, by the digest that the lock file names: what is there was checked when it was written.
 * Nothing of a package is executed.
 */
export class TarballCache {
  readonly #folder: string;
  readonly #registry: string;
  /** Archives are unpacked one after the other: each takes some ten times its size in memory. */
  #unpacking: Promise<unknown> = Promise.resolve();

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#registry = registryOf(env);
  }

  /** The folders of packages, downloaded where the cache does not have them. A failure is a result. */
  async folders(wanted: readonly LockedPackage[]): Promise<readonly Unpacked[]> {
    if (wanted.length === 0) return [];
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { EnvHttpProxyAgent } = await import('undici');
    const dispatcher = new EnvHttpProxyAgent({ connections: maxConcurrent });
    const results: Unpacked[] = [];
    const waiting = wanted.entries();
    const work = async () => {
      for (const [index, locked] of waiting) {
        results[index] = await this.#folderOf(locked, dispatcher).catch((error: unknown) => ({
          failure: reasonOf(error),
        }));
      }
    };
    try {
      await Promise.all(Array.from({ length: maxConcurrent }, work));
    } finally {
      await dispatcher.destroy();
    }
    return results;
  }

  async #folderOf(locked: LockedPackage, dispatcher: Parameters<typeof download>[2]['dispatcher']): Promise<Unpacked> {
    const digest = strongestDigest(locked.tarball?.integrity ?? '');
    if (digest === null) return { failure: 'the lock file has no integrity of it' };
    const place = join(await realpath(this.#folder), nameOf(digest));
    if (existsSync(place)) return { folder: place };
    // Others may unpack the same package: each in a place of its own, and the first to be done is kept.
    const own = `${place}.${randomBytes(6).toString('hex')}`;
    try {
      const address = tarballAddress(locked, this.#registry);
      await download(address, `${own}.tgz`, { digest, registry: this.#registry, dispatcher });
      await mkdir(own, { mode: 0o700 });
      const turn = this.#unpacking.then(() => unpackTarball(`${own}.tgz`, own));
      this.#unpacking = turn.catch(() => {});
      await turn;
      await rename(own, place).catch((error: unknown) => {
        if (!existsSync(place)) throw error;
      });
      return { folder: place };
    } finally {
      await rm(`${own}.tgz`, { force: true });
      await rm(own, { recursive: true, force: true });
    }
  }
}

function nameOf({ algorithm, value }: Digest): string {
  return `${algorithm}-${value.toString('hex')}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof DownloadError || error instanceof ArchiveError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'its registry did not answer in time';
  return `its tarball cannot be had (${codeOfError(error) ?? 'damaged'})`;
}
