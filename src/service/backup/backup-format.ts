import * as z from 'zod';

/**
 * A backup is a tar archive, packed by gzip: first `about`, then files of the data folder and the folder `database/`, last `checksums`.
 * An archive without its last entry was cut off.
 */
export const aboutName = 'postern-backup.json';
export const checksumsName = 'checksums.json';
export const databaseName = 'database';

/** Files of the data folder that belong to the database: without them sessions end and sealed secrets cannot be opened. */
export const keptFiles = ['secrets.key', 'jwt.key', 'operator.key', 'first-run.json'] as const;

export const about = z.object({
  format: z.literal(1),
  /** The version that wrote it. */
  postern: z.string(),
  made_at: z.iso.datetime(),
});

/** SHA-256 as hex by the name of the entry. */
export const checksums = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

const databasePath = /^database(?:\/[\w.-]+)*\/?$/;

/** Whether a backup may hold an entry of this name: nothing else is ever written, and nothing outside of the folder. */
export function isEntryName(name: string): boolean {
  if (keptFiles.some((file) => file === name)) return true;
  return databasePath.test(name) && !name.split('/').some((part) => part === '.' || part === '..');
}

/** A file that is no backup, or one that is damaged. */
export class BackupError extends Error {}
