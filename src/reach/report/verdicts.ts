import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { maxReach } from '../../procedures/wire.js';
import { call, type RemoteService } from '../remote/remote-service.js';

export type Verdict = z.output<typeof procedures.reachability.listVerdicts.output>['items'][number];
export type Band = Verdict['band'];

const pageSize = 100;

export interface VerdictList {
  /** Highest EffectivePriority first. */
  readonly verdicts: readonly Verdict[];
  /** How many the project has; a list of the API ends after `maxReach` rows, so `verdicts` may hold fewer. */
  readonly total: number;
}

/** The verdicts of a project, as many as the API lists. */
export async function listVerdicts(service: RemoteService, projectId: string): Promise<VerdictList> {
  const verdicts: Verdict[] = [];
  for (let page = 1; ; page++) {
    const input = { project_id: projectId, page, page_size: pageSize };
    const { items, has_more, total } = await call(service, procedures.reachability.listVerdicts, input);
    verdicts.push(...items);
    if (!has_more || page * pageSize >= maxReach) return { verdicts, total };
  }
}
