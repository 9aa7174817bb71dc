import type { RouterOutputs } from '../../../client/index.js';

export type Summary = RouterOutputs['posture']['getSummary'];
export type Diff = RouterOutputs['posture']['getFindingsDiff'];
export type Trend = RouterOutputs['posture']['getTrend'];
export type TopFinding = Diff['worst_new'][number];
export type TopRisk = RouterOutputs['posture']['getTopRisks']['risks'][number];
export type ProjectPosture = RouterOutputs['posture']['listProjects']['items'][number];

/** What the parts of a posture are about: all projects, those of a group, or one. */
export interface Scope {
  readonly projectId?: string | undefined;
  /** Its id. A project is asked for without it. */
  readonly group?: string | undefined;
}

/** The input of a procedure that answers for a scope. */
export function scoped({ projectId, group }: Scope): { project_id?: string; group?: string } {
  if (projectId !== undefined) return { project_id: projectId };
  return group === undefined ? {} : { group };
}
