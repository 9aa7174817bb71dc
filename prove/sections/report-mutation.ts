import * as z from 'zod';
import { type Check, judged } from '../support/check.js';
import { inParallel } from '../support/in-parallel.js';
import type { LocalProof } from '../support/proof.js';
import { type Random, randomOf } from '../support/random.js';
import { reportsWith } from '../support/reports.js';
import { expectAnswer, sendPatiently } from '../support/rest.js';
import { faultOf } from './json-garbage.js';
import { aliveFaults } from './raw-http.js';

const paths = {
  sarif: 'sast/reports?source_repo=https://git.example.com/mutated',
  zap: 'dast/reports',
  trivy: 'containers/reports?image=acme/mutated:1',
  grype: 'containers/reports?image=acme/mutated:2',
  cyclonedx: 'tech-stack/sbom?source=mutated&force=true',
} as const;

/** Seed of all damage: the same reports in each run. */
const seed = 20_230_605;

const damages: ReadonlyArray<(bytes: Buffer, random: Random) => Buffer> = [
  // Most damage makes JSON unreadable and is refused at once: values of another kind get further.
  ...[swapValue, flipBits, swapValue, splice, swapValue, cut],
];

/** Reports that were damaged on their way: refused or taken, never a failure of the server. */
export async function reportMutation({ url, tenants, short }: LocalProof): Promise<Check[]> {
  const random = randomOf(seed);
  const { writeKey: credential, mark } = tenants.Enterprise;
  const reports = reportsWith(mark);
  const body = { name: `Mutated ${mark}` };
  const { id } = await expectAnswer(url, { path: '/api/projects', credential, body }, z.object({ id: z.string() }));
  const kinds = ['sarif', 'zap', 'trivy', 'grype', 'cyclonedx'] as const;
  const sent = Array.from({ length: short ? 10 : 120 }, () => kinds).flat();
  const mutants = sent.map((kind, place) => {
    const whole = Buffer.from(JSON.stringify(reports[kind]));
    const damage = damages[place % damages.length] ?? cut;
    return { kind, place, bytes: damage(whole, random) };
  });
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  await inParallel(mutants, 4, async ({ kind, place, bytes }) => {
    const answer = await sendPatiently(url, { path: `/api/projects/${id}/${paths[kind]}`, credential, body: bytes });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const fault = faultOf(answer);
    if (fault !== undefined) faults.push(`${kind}, mutant ${place} of seed ${seed}: ${fault}`);
  });
  faults.push(...(await aliveFaults(url)));
  const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  return [judged({ row: 'API10', name: 'damaged reports' }, `${mutants.length} uploads: ${counts}`, faults)];
}

function flipBits(bytes: Buffer, random: Random): Buffer {
  const damaged = Buffer.from(bytes);
  for (let flips = 1 + random.below(3); flips > 0; flips -= 1) {
    const at = random.below(damaged.length);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << random.below(8)), at);
  }
  return damaged;
}

function cut(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, random.below(bytes.length));
}

/** A part of the report, again at another place. */
function splice(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length);
  const part = bytes.subarray(from, from + random.below(400));
  const at = random.below(bytes.length);
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

const strangers = ['null', '-1', '1e999', '[]', '{}', '""', 'true', '"\\ud800"', '"\\u0000"', '[[[[[[]]]]]]'];

/** Valid JSON in which one value has another type. */
function swapValue(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString();
  const ends = [...text.matchAll(/:("[^"]*"|\d+|true|null)/g)];
  const [found] = ends[random.below(ends.length)] ?? [];
  const stranger = strangers[random.below(strangers.length)] ?? 'null';
  return Buffer.from(found === undefined ? text : text.replace(found, () => `:${stranger}`));
}
