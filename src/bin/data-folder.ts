import { codeOfError } from '../shared/errors/code-of-error.js';

/** What is wrong with a folder, by the system's code. */
const causes: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has this name',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
};

/** Does work in the data folder. A folder that cannot be used is named with the variable that chooses it. */
export async function inDataFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = causes[codeOfError(error) ?? ''];
    if (cause === undefined || !isFileError(error)) throw error;
    throw new Error(
      `DATA_DIR: ${dataDir} cannot be used: ${cause}. Choose another folder, or give this one to this user.`,
      {
        cause: error,
      },
    );
  }
}

/** Sockets have such codes too; only errors of files have a path. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'path' in error;
}
