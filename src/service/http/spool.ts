import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A body that is being received. */
export interface KeptBody {
  /** The promise, where there is one, ends when more may come. */
  add(chunk: Buffer): Promise<void> | undefined;
  end(): Promise<{ readonly bytes: Buffer } | { readonly file: string }>;
  discard(): Promise<void>;
}

/** A small body: it stays in memory. */
export function newSmallBody(): KeptBody {
  const held: Buffer[] = [];
  return {
    add(chunk) {
      held.push(chunk);
      return undefined;
    },
    end: async () => ({ bytes: Buffer.concat(held) }),
    discard: async () => {},
  };
}

/** Milliseconds after which a file that another process has left is nobody's. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** The folder in which large bodies lie until they have been read. Nobody but the service's user can read them there. */
export class Spool {
  readonly #folder: string;
  readonly #isSole: boolean;
  #prepared: Promise<void> | undefined;

  /** @param isSole no other process uses the folder: what is in it at the first body is left over */
  constructor(folder: string, isSole: boolean) {
    this.#folder = folder;
    this.#isSole = isSole;
  }

  /** Makes the folder, and removes what another process has left in it. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      const changed = (await stat(file).catch(() => null))?.mtimeMs ?? 0;
      if (this.#isSole || Date.now() - changed > abandonedMs) await rm(file, { recursive: true, force: true });
    }
  }

  /** A body that goes to a file when it is larger than `inMemory` bytes. */
  newBody(inMemory: number): KeptBody {
    const file = path.join(this.#folder, randomUUID());
    const held: Buffer[] = [];
    let size = 0;
    let handle: FileHandle | undefined;
    const flush = async () => {
      if (handle === undefined) {
        await this.prepare();
        handle = await open(file, 'wx', 0o600);
      }
      const chunks = held.splice(0);
      size = 0;
      if (chunks.length > 0) await handle.appendFile(Buffer.concat(chunks));
    };
    return {
      add(chunk) {
        held.push(chunk);
        size += chunk.length;
        return size > inMemory ? flush() : undefined;
      },
      async end() {
        if (handle === undefined) return { bytes: Buffer.concat(held) };
        await flush();
        await handle.close();
        return { file };
      },
      async discard() {
        held.length = 0;
        await handle?.close();
        await rm(file, { force: true });
      },
    };
  }

  /** Removes the file of a body that has been read. */
  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
  }
}
