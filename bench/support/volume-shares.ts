import type { Domain } from '../../src/procedures/risk.js';
import type { FindingDomain } from '../../src/service/db/tables/findings.js';
import type { Exposure } from '../../src/shared/vulnerability-terms.js';
import { numbersOf } from './volume-draw.js';

/** A project to fill; the first is the largest. */
export interface VolumeProject {
  readonly ordinal: number;
  readonly id: string;
  readonly name: string;
  readonly exposure: Exposure;
  /** Whether it has a usage report, and so verdicts. */
  readonly reported: boolean;
  /** Days since the first scans. */
  readonly age: number;
  /** Its share of all rows. */
  readonly share: number;
  /** The number of images, repositories and sites with findings. */
  readonly sources: Readonly<Record<FindingDomain, number>>;
}

/** Rows of one project: the numbers `first` to `first + count - 1`. */
export interface Piece {
  readonly project: VolumeProject;
  readonly first: number;
  readonly count: number;
}

export const exposures = ['internet', 'internal', 'unknown', 'isolated'] as const;

/** The share of each domain in all findings. */
export const domainShares: Readonly<Record<Domain, number>> = {
  containers: 0.45,
  dependencies: 0.35,
  code: 0.17,
  running_app: 0.03,
};

/** Zipf exponent; it gives the largest of 40 projects a fifth of all findings. */
const steepness = 0.9;

const names = [
  'checkout',
  'billing',
  'search',
  'accounts',
  'ledger',
  'mailer',
  'catalogue',
  'gateway',
  'reports',
  'maps',
];
const kinds = ['api', 'web', 'worker', 'admin'];

/** The projects of an organisation with this number of findings. */
export function volumeProjects(count: number, findings: number): VolumeProject[] {
  const weights = Array.from({ length: count }, (_, place) => (place + 1) ** -steepness);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, ordinal) => {
    const random = numbersOf(ordinal);
    const named = `${names[ordinal % names.length]}-${kinds[Math.floor(ordinal / names.length) % kinds.length]}`;
    return {
      ordinal,
      id: `prj_volume${String(ordinal).padStart(14, '0')}`,
      name: ordinal < names.length * kinds.length ? named : `${named}-${ordinal}`,
      exposure: exposures[ordinal % exposures.length] ?? 'unknown',
      reported: ordinal % 7 !== 5,
      age: ordinal === 0 ? 400 : 60 + Math.floor(random() * 340),
      share: weight / all,
      sources: {
        containers: 1 + Math.floor((findings * weight) / all / 2_500),
        code: 1 + Math.floor((weight / all) * 25),
        running_app: 1 + Math.floor((weight / all) * 15),
      },
    };
  });
}

/** Distributes rows over the projects by their shares, in batches of at most `batchRows`. */
export function* batchesOf(projects: readonly VolumeProject[], rows: number, batchRows = 20_000): Generator<Piece[]> {
  let batch: Piece[] = [];
  let room = batchRows;
  let given = 0;
  let shared = 0;
  for (const project of projects) {
    shared += project.share;
    // The running sum is rounded, so that the counts add up to `rows`.
    const end = Math.round(shared * rows);
    for (let first = 0; given < end; ) {
      const count = Math.min(room, end - given);
      batch.push({ project, first, count });
      [first, given, room] = [first + count, given + count, room - count];
      if (room > 0) continue;
      yield batch;
      [batch, room] = [[], batchRows];
    }
  }
  if (batch.length > 0) yield batch;
}
