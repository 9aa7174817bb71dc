import * as z from 'zod';
import { type Check, judged } from '../support/check.js';
import { type Instance, startInstance } from '../support/instance.js';
import { parseJson } from '../support/json.js';
import type { LocalProof } from '../support/proof.js';
import { randomOf } from '../support/random.js';
import { sarifOf } from '../support/reports.js';
import { expectAnswer, sendPatiently } from '../support/rest.js';
import { createTenant } from '../support/tenant.js';
import { waitFor } from '../support/wait.js';

const withId = z.object({ id: z.string() });
const total = z.object({ total: z.int() });
const jobs = z.object({ items: z.array(z.object({ status: z.string() })) });
const findingsOfReport = 400;

interface Writing {
  readonly instance: Instance;
  readonly credential: string;
  /** Ids of projects whose creation was acknowledged. */
  readonly projects: Set<string>;
  /** Sources of reports, and whether their upload was acknowledged: done, or taken as a job. */
  readonly uploads: Map<string, 'sent' | 'acknowledged' | 'job'>;
  readonly project: string;
}

/** kill -9 while rows and reports are written: nothing acknowledged is lost, nothing is there in half. */
export async function kills({ program }: LocalProof): Promise<Check[]> {
  const instance = await startInstance({ program });
  try {
    const { writeKey: credential } = await createTenant(instance, 'Enterprise');
    const created = await expectAnswer(
      instance.url,
      { path: '/api/projects', credential, body: { name: 'kept' } },
      withId,
    );
    const writing: Writing = {
      ...{ instance, credential, project: created.id, projects: new Set([created.id]), uploads: new Map() },
    };
    const random = randomOf(20_231);
    const rounds = 10;
    for (let round = 0; round < rounds; round += 1) {
      await writeUntilKilled(writing, 4 + random.below(30), round);
      await instance.restart();
    }
    const { projects, uploads } = writing;
    const acknowledged = [...uploads.values()].filter((state) => state !== 'sent').length;
    const figures = `${rounds} kills, ${projects.size} projects and ${acknowledged} of ${uploads.size} uploads acknowledged`;
    const faults = await lossesOf(writing);
    return [judged({ row: 'API4', name: 'kill -9 during writes and uploads' }, figures, faults)];
  } finally {
    await instance.close();
  }
}

/** Writers and uploaders at once; the kill comes with the n-th acknowledgement, in the middle of what the others do. */
async function writeUntilKilled(writing: Writing, killAfter: number, round: number): Promise<void> {
  const { instance, credential, projects, uploads, project } = writing;
  const { url } = instance;
  let left = killAfter;
  const isOver = () => left <= 0;
  const acknowledge = () => {
    left -= 1;
    if (left === 0) void instance.kill('SIGKILL');
  };
  const writer = async () => {
    for (let n = 0; !isOver(); n += 1) {
      const answer = await sendPatiently(url, {
        path: '/api/projects',
        credential,
        body: { name: `p ${round} ${Math.random()} ${n}` },
      });
      const { data } = withId.safeParse(answer.status === 200 ? parseJson(answer.text) : undefined);
      if (data === undefined) continue;
      projects.add(data.id);
      acknowledge();
    }
  };
  const uploader = async (name: number) => {
    for (let n = 0; !isOver(); n += 1) {
      const source = `https://git.example.com/${round}-${name}-${n}`;
      const path = `/api/projects/${project}/sast/reports?source_repo=${encodeURIComponent(source)}`;
      const body = sarifOf(Array.from({ length: findingsOfReport }, (_, place) => `${source} ${place}`));
      uploads.set(source, 'sent');
      const { status } = await sendPatiently(url, { path, credential, body });
      if (status !== 200 && status !== 202) continue;
      uploads.set(source, status === 200 ? 'acknowledged' : 'job');
      acknowledge();
    }
  };
  await Promise.all([writer(), writer(), uploader(1), uploader(2)]);
  // The kill may still be under way, or the last acknowledgement was not needed for it.
  await instance.kill('SIGKILL');
}

async function lossesOf({ instance: { url }, credential, projects, uploads, project }: Writing): Promise<string[]> {
  const faults: string[] = [];
  for (const id of projects) {
    const { status } = await sendPatiently(url, { path: `/api/projects/${id}`, credential });
    if (status !== 200) faults.push(`an acknowledged project is gone: ${status}`);
  }
  // Jobs of an instance that was killed go on or are given up; either way they end.
  await waitFor(async () => {
    const list = { path: `/api/projects/${project}/sast/scan-jobs?page_size=100`, credential };
    const { items } = await expectAnswer(url, list, jobs);
    return items.some(({ status }) => ['queued', 'running'].includes(status)) ? undefined : true;
  }, 120_000);
  for (const [source, state] of uploads) {
    const path = `/api/projects/${project}/sast/findings?state=all&source_repo=${encodeURIComponent(source)}`;
    const found = (await expectAnswer(url, { path, credential }, total)).total;
    if (found !== 0 && found !== findingsOfReport) faults.push(`${found} of ${findingsOfReport} findings of a report`);
    if (state === 'acknowledged' && found === 0) faults.push('an acknowledged report is gone');
  }
  return faults;
}
