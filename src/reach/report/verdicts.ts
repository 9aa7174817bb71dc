import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { maxReach } from '../../procedures/wire.js';
import { call, type Service } from '../remote/remote-service.js';

export type Verdict = z.output<typeof procedures.reachability.listVerdicts.output>['items'][number];
export type Band = Verdict['band'];

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
