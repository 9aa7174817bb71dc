import { expect } from 'vitest';
import { openPostgres } from '../../../src/service/db/postgres.js';
import { at } from '../../support/at.js';
import { range, sarif, withoutClock } from './code-reports.js';
import type { AskedProgram, ProgramSetting } from './running-program.js';

/** What an upload under way is once its process is gone and its lease has run out, which takes a minute by itself. */
export async function expireLeases({ DATABASE_URL }: ProgramSetting): Promise<void> {
  if (DATABASE_URL === undefined) return;
  const pool = openPostgres(DATABASE_URL, { max: 1 });
  await pool.query(`update change_sets set lease_until = now() - interval '1 hour' where state <> 'landed'`);
  await pool.query(`update uploads set lease_until = now() - interval '1 hour' where state in ('queued', 'running')`);
  await pool.end();
}

/** A report that is too large for the main thread. */
export const largeReport = (from: number, to: number) => ({
  ...sarif(range(from, to)),
  properties: 'x'.repeat(300 * 1024),
});

/** What somebody can read of a project's code findings. */
export async function readFindings({ call }: AskedProgram, projectId: string) {
  const get = async (path: string) => {
    const { status, body } = await call('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return withoutClock(body);
  };
  const findings = `/api/projects/${projectId}/sast/findings?page_size=100`;
  const open = await get(findings);
  const all = await get(`${findings}&state=all`);
  const summary = await get('/api/posture/code/summary');
  return { total: Number(at(open, 'total')), open, all, summary };
}
