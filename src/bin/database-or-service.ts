import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../service/db/database.js';
import { readHolder } from '../service/db/embedded/folder-lock.js';
import { openDatabase } from '../service/db/open.js';
import { ApiError } from '../service/http/api-error.js';
import { refusalText } from '../service/operator/refusal-text.js';

/** Where a command finds the database, or the service that has it open. */
export interface OperatorSettings {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Absent: the key that the service keeps in its data folder. */
  readonly operatorKey: string | undefined;
}

/** A running service that has the database open, and its operator key. */
interface RunningService {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  readonly operatorKey: string;
}

interface Ways<T> {
  readonly inDatabase: (database: Database, signal: AbortSignal) => Promise<T>;
  readonly viaService: (service: RunningService) => Promise<T>;
}

/** Works in the database; or, where a running service has its folder open, through that service. */
export async function inDatabaseOrService<T>(
  settings: OperatorSettings,
  { inDatabase, viaService }: Ways<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = settings;
  const service = await runningServiceOf(settings);
  if (service !== null) return viaService(service);
  const database = await openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  const interrupted = new AbortController();
  const interrupt = () =>
    interrupted.abort(new Error('interrupted; what was written stays, and the command can be run again'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await inDatabase(database, interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await database.close();
  }
}

/** Why work in the database or through a service has failed, in the same words either way. */
export function failureText(error: Error): string {
  return error instanceof ApiError ? refusalText({ code: error.code, errors: error.details.errors }) : error.message;
}

/** The service that has the embedded database open; null where there is none. */
export async function runningServiceOf({ dataDir, databaseUrl, operatorKey }: OperatorSettings) {
  const url = databaseUrl === undefined ? readHolder(dataDir)?.url : undefined;
  if (url === undefined || url === null) return null;
  return { url, operatorKey: operatorKey ?? (await readOperatorKey(dataDir)) } satisfies RunningService;
}

async function readOperatorKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'operator.key');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    throw new Error(`a service holds ${dataDir}, and its operator key cannot be read from ${path}: set OPERATOR_KEY`);
  }
}
