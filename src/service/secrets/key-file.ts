import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';

/** Random bytes of a new key, in the file as hex. */
const keyBytes = 32;

/**
 * The key in a file that only its owner can read; the file is made where there is none. It appears under its name complete
 * or not at all, so that two processes that start at the same time get the same key.
 */
export async function keyFromFile(path: string): Promise<string> {
  const existing = await existingKey(path);
  if (existing !== undefined) return existing;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDurably(draft, `${randomBytes(keyBytes).toString('hex')}\n`);
    await link(draft, path).catch((error: unknown) => {
      if (codeOfError(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await existingKey(path);
  if (key === undefined) throw new Error(`${path} was removed while it was being made`);
  return key;
}

/** The key in a file; undefined where there is no file. */
export async function existingKey(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOfError(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = text.trim();
  if (key.length < keyBytes) throw new Error(`${path} holds no key: remove it to have a new one made`);
  return key;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
