import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Database } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import type { Route } from '../http/routes.js';
import { BackupError } from './backup-format.js';
import { packBackup } from './pack-backup.js';

/** Milliseconds in which a caller must take something: while it waits, the database's log grows. */
const maxSilenceMs = 60_000;

/** Seconds after which an operator may ask again while another backup is being made. */
const retryAfterSeconds = 10;

interface BackupRoute {
  readonly database: Database;
  readonly dataDir: string;
  readonly version: string;
}

/**
 * `POST /backups`, behind the operator key: the embedded database and the keys beside it as a gzipped archive (backup-format.ts).
 * Made while others read and write. A connection that breaks off means that there is no backup.
 */
export function operatorBackupRoute({ database, dataDir, version }: BackupRoute): Route {
  let isRunning = false;
  const answer = async (_req: Request, res: Response) => {
    if (isRunning) throw new ApiError('unavailable', { detail: 'a backup is being made', retryAfterSeconds });
    isRunning = true;
    try {
      const archive = packBackup({ database, dataDir, version });
      res.status(200).type('application/gzip');
      res.setTimeout(maxSilenceMs, () => res.destroy());
      await pipeline(archive, createGzip({ level: 1 }), res);
    } catch (error) {
      if (error instanceof BackupError) throw new ApiError('unavailable', { detail: error.message });
      // Where the status is sent already, only a broken connection can still show it.
      if (!res.headersSent) throw error;
      res.destroy();
    } finally {
      isRunning = false;
    }
  };
  return { method: 'POST', path: '/backups', answer };
}
