import { setTimeout } from 'node:timers/promises';
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
      const query = database.system((tx) => sql`select 1`.execute(tx), 'health');
      const answers = query.then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([answers, setTimeout(timeoutMs, false, { ref: false })]))) {
        throw new ApiError('unavailable', { detail: 'the database does not answer' });
      }
      res.json({ status: 'ok' });
    },
  };
}
