import type * as z from 'zod';
import { procedures } from '../procedures/index.js';
import { maxReach } from '../procedures/wire.js';
import { call, type Service } from './service.js';

export type Verdict = z.output<typeof procedures.reachability.listVerdicts.output>['items'][number];
export type Band = Verdict['band'];

/** Bands that `--fail-on` takes, the worst first: each stands for itself and those before it. */
export const failingBands = ['known_exploited', 'likely_exploitable', 'needs_review'] as const;
export type FailingBand = (typeof failingBands)[number];

/** All bands of verdicts, the worst first. */
export const bands = [...failingBands, 'likely_not_exploitable', 'unanalyzed'] as const satisfies readonly Band[];

const pageSize = 100;

export interface VerdictList {
  /** Highest EffectivePriority first. */
  readonly verdicts: readonly Verdict[];
  /** How many there are; more than are listed where a list's reach ends. */
  readonly total: number;
}

/** All verdicts of a project that a list reaches. */
export async function listVerdicts(service: Service, projectId: string): Promise<VerdictList> {
  const verdicts: Verdict[] = [];
  for (let page = 1; ; page++) {
    const input = { project_id: projectId, page, page_size: pageSize };
    const { items, has_more, total } = await call(service, procedures.reachability.listVerdicts, input);
    verdicts.push(...items);
    if (!has_more || page * pageSize >= maxReach) return { verdicts, total };
  }
}

/** The verdicts whose band is the given one or worse. */
export function atLeast(verdicts: readonly Verdict[], band: FailingBand): Verdict[] {
  const failing: readonly Band[] = failingBands.slice(0, failingBands.indexOf(band) + 1);
  return verdicts.filter((verdict) => failing.includes(verdict.band));
}
