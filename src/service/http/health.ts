import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import { ApiError } from './api-error.js';
import type { Route } from './routes.js';

/** How long the database may take to answer. */
const timeoutMs = 5000;

/** `GET /api/healthz`: whether the database answers. */
export function healthRoute(database: Database): Route {
  return {
    method: 'GET',
    path: '/api/healthz',
    async answer(_req, res) {
      await within(
        timeoutMs,
        database.system((tx) => sql`select 1`.execute(tx)),
      );
      res.json({ status: 'ok' });
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('deadline')), ms);
  });
  try {
    await Promise.race([work, deadline]);
  } catch {
    throw new ApiError('unavailable', { detail: 'the database does not answer' });
  } finally {
    clearTimeout(timer);
  }
}
