import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { formatLatency, latency, latencyHeader, timed } from './latency.js';
import type { VolumeServers } from './volume-servers.js';

const ids = z.object({ items: z.array(z.object({ id: z.string() })) });
const findingsOfReport = 500;

/** Prints the times of single changes in a project: they show the cost of keeping counts and indexes. */
export async function measureWrites({ service }: VolumeServers, projectId: string): Promise<void> {
  const project = `/api/projects/${projectId}`;
  const listed = async (path: string) => ids.parse(JSON.parse(await service({ path: `${project}/${path}` }))).items;
  const print = (name: string, times: readonly number[]) => {
    console.log(`${name.padEnd(52)} ${formatLatency(latency(times))} ${times.length} times`);
  };
  console.log(`\n${'write'.padEnd(52)} ${latencyHeader}`);

  const acknowledged = [];
  for (const { id } of await listed('alerts?status=open&tier=YELLOW&page_size=30')) {
    const path = `${project}/alerts/${id}/acknowledge`;
    acknowledged.push(await timed(() => service({ path, body: '{"note":"seen"}' })));
  }
  print('acknowledge an alert', acknowledged);

  const overridden = [];
  for (const { id } of await listed('reachability/verdicts?band=needs_review&page_size=30')) {
    const path = `${project}/reachability/verdicts/${id}`;
    if (JSON.parse(await service({ path })).override !== null) continue;
    const body = JSON.stringify({ verdict: 'NotExploitable', reason: 'Looked at.' });
    overridden.push(await timed(() => service({ method: 'PUT', path: `${path}/override`, body, asMember: true })));
  }
  print('override a verdict', overridden);

  const repo = `https://git.example.com/new-${randomBytes(6).toString('hex')}`;
  const uploads: Record<'first' | 'changed' | 'same', number[]> = { first: [], changed: [], same: [] };
  for (let round = 0; round < 6; round += 1) {
    const path = `${project}/sast/reports?source_repo=${encodeURIComponent(`${repo}-${round}`)}`;
    const [one, other] = [sarif(0), sarif(findingsOfReport)];
    uploads.first.push(await timed(() => service({ path, body: one })));
    uploads.changed.push(await timed(() => service({ path, body: other })));
    uploads.same.push(await timed(() => service({ path, body: `${other} ` })));
  }
  print(`upload ${findingsOfReport} findings of a new repository`, uploads.first);
  print(`upload ${findingsOfReport} others: as many new and fixed`, uploads.changed);
  print('upload the same again', uploads.same);
}

/** A report of `findingsOfReport` findings, numbered from `first`. */
function sarif(first: number): string {
  const results = Array.from({ length: findingsOfReport }, (_, place) => ({
    ruleId: `rule-${place % 20}`,
    level: (['error', 'warning', 'note'] as const)[place % 3],
    message: { text: `Finding ${first + place}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/file-${first + place}.ts` },
          region: { startLine: place + 1 },
        },
      },
    ],
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Volume' } }, results }] });
}
