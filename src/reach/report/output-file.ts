import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { FileError } from '../file-error.js';

/** A file that an option names for what a command writes. */
export interface OutputFile {
  /** Such as `--output`. */
  readonly option: string;
  readonly path: string;
}

/**
 * Checks that a file can be written, before the work that it is for. It changes nothing.
 *
 * @throws FileError that says what would be right
 */
export async function checkOutputFile(file: OutputFile): Promise<void> {
  const { path } = file;
  try {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() === true) throw cannotWrite(file, 'it is a folder');
    if (found === null && !(await stat(dirname(path))).isDirectory()) throw cannotWrite(file, 'ENOTDIR');
    await access(found === null ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw error instanceof FileError ? error : cannotWrite(file, codeOfError(error) ?? 'unknown error');
  }
}

/** @throws FileError */
export async function writeOutputFile(file: OutputFile, value: unknown): Promise<void> {
  try {
    await writeFile(file.path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw cannotWrite(file, codeOfError(error) ?? 'unknown error');
  }
}

function cannotWrite({ option, path }: OutputFile, why: string): FileError {
  return new FileError(`${option} ${path} cannot be written (${why}): give a file in a folder that exists`);
}
