import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { call, type RemoteService } from '../remote/remote-service.js';

export type Verdict = z.output<typeof procedures.reachability.listVerdicts.output>['items'][number];
export type Band = Verdict['band'];

const pageSize = 100;

/** For more, the service itself is the better place to look. */
const maxVerdicts = 10_000;

export interface VerdictList {
  /** Highest EffectivePriority first. */
  readonly verdicts: readonly Verdict[];
  /** How many the project has: `verdicts` holds the first `maxVerdicts`. */
  readonly total: number;
}

/** The verdicts of a project, the highest ones. */
export async function listVerdicts(service: RemoteService, projectId: string): Promise<VerdictList> {
  const verdicts: Verdict[] = [];
  let cursor: string | undefined;
  for (;;) {
    const input = { project_id: projectId, page_size: pageSize, ...(cursor !== undefined && { cursor }) };
    const { items, next_cursor, total } = await call(service, procedures.reachability.listVerdicts, input);
    verdicts.push(...items);
    if (next_cursor === null || verdicts.length >= maxVerdicts) return { verdicts, total };
    cursor = next_cursor;
  }
}
