import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { recordingService, type ScriptedAnswer } from '../recording-service.js';
import { runReach } from '../run-reach.js';

const job = (state: string, more: object = {}): ScriptedAnswer => ({
  status: 200,
  body: {
    ...{ id: 'upl_1', project_id: 'prj_1', procedure: 'vex.upload', state, phase: 'writing', done: 2, of: 3 },
    ...{ received_at: '2026-01-02T03:04:05Z', started_at: null, finished_at: null, answer: null, problem: null },
    ...more,
  },
});

const receipt = { rows: 1, taken: 1, merged: 0, skipped: 0, skipped_rows: [], left_out: [] };
const findings = { total: 1, new: 1, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
const answer = {
  ...{ scan_job_id: 'job_1', duplicate: false, findings, tiers: { red: 0, yellow: 1, green: 0 }, note: null, receipt },
};

async function upload(...answers: readonly ScriptedAnswer[]) {
  const service = await recordingService(...answers);
  const file = join(folderWith({}), 'report');
  writeFileSync(file, '{"version": "2.1.0", "runs": []}');
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: 'key' };
  const args = ['upload', 'sarif', file, '--project', 'prj_1', '--repo', 'https://example.com/shop'];
  return { ...(await runReach(args, env)), received: service.received };
}

const accepted = { ...job('queued'), status: 202, headers: { location: 'https://elsewhere.example/job' } };
const unavailable = { status: 503, body: {} };

describe('reach upload', () => {
  test('waits for a job that the service has made of it', async () => {
    const done = job('done', { answer });
    const { stdout, exitCode, received } = await upload(accepted, job('running'), unavailable, done);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('rows: 1, of them 1 taken');
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/projects/prj_1/sast/reports?source_repo=https%3A%2F%2Fexample.com%2Fshop',
      ...Array.from({ length: 3 }, () => 'GET /api/projects/prj_1/uploads/upl_1'),
    ]);
  });

  test('tells why its job has failed', async () => {
    const problem = { type: 'x', title: 'Invalid', status: 422, code: 'invalid_input', detail: 'it is too much' };
    const { stderr, exitCode } = await upload(accepted, job('failed', { problem }));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('refused: it is too much [422]');
  });

  test('gives up where the job is not found', async () => {
    const gone = { type: 'x', title: 'Not found', status: 404, code: 'not_found', resource: 'upload' };
    const { exitCode, stderr } = await upload(accepted, { status: 404, body: gone });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[404]');
  });
});
