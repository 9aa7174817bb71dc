import * as z from 'zod';
import { sarifOf } from './reports.js';
import { expectAnswer } from './rest.js';
import { waitFor } from './wait.js';

/** More than the 256 kB from which an upload is a job. */
const paddingLength = 300_000;

const made = z.object({ id: z.string(), state: z.string() });
const limitMs = 120_000;

/**
 * Uploads a report that becomes a job, and waits for its end. Answers the job's id.
 * @throws Error where it does not end well
 */
export async function largeUpload(
  url: string,
  { project, credential, mark }: { readonly project: string; readonly credential: string; readonly mark: string },
): Promise<string> {
  const path = `/api/projects/${project}`;
  const body = { ...sarifOf([`Large flaw of ${mark}`]), properties: { padding: 'x'.repeat(paddingLength) } };
  const headers = { prefer: 'wait=0' };
  const posted = `${path}/sast/reports?source_repo=https://git.example.com/large-${mark}`;
  const { id } = await expectAnswer(url, { path: posted, credential, body, headers }, made);
  const state = await waitFor(async () => {
    const job = await expectAnswer(url, { path: `${path}/uploads/${id}`, credential }, made);
    return ['done', 'failed'].includes(job.state) ? job.state : undefined;
  }, limitMs);
  if (state !== 'done') throw new Error(`an upload of ${paddingLength} characters: ${state ?? 'no end'}`);
  return id;
}
