import type { RouterOutputs } from '../../../client/index.js';

export type Summary = RouterOutputs['posture']['getSummary'];
export type Diff = RouterOutputs['posture']['getFindingsDiff'];
export type Trend = RouterOutputs['posture']['getTrend'];
export type TopFinding = Diff['worst_new'][number];
export type TopRisk = RouterOutputs['posture']['getTopRisks']['risks'][number];
export type ProjectPosture = RouterOutputs['posture']['listProjects']['items'][number];

/** What the parts of a posture are about: all projects, or one. */
export interface Scope {
  readonly projectId?: string | undefined;
}

/** The input of a procedure that answers for all projects or for one. */
export function scoped(projectId: string | undefined): { project_id?: string } {
  return projectId === undefined ? {} : { project_id: projectId };
}
