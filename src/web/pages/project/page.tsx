import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Page } from '../../components/page/page.js';
import { postureAnswer, wasLookedAt } from '../../components/posture/answer.js';
import { PostureOverview } from '../../components/posture/overview.js';
import type { ProjectPosture } from '../../components/posture/types.js';
import { useProjectPosture } from '../../components/posture/use-project-posture.js';
import { Skeleton } from '../../components/state/state.js';
import { GettingStarted } from './getting-started.js';
import { isComplete, isStarted } from './steps.js';
import { VerdictProgress } from './verdict-progress.js';

const route = getRouteApi('/frame/projects/$projectId/');

export function ProjectPage() {
  const { projectId } = route.useParams();
  const { data: project } = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  if (project === undefined) return <Skeleton rows={10} />;
  // Another project is another page: nothing of the one before stays.
  return <Overview key={project.id} project={project} />;
}

function Overview({ project }: { readonly project: RouterOutputs['projects']['get'] }) {
  const search = route.useSearch();
  const { data: posture, error } = useProjectPosture(project, { pollWhile: (found) => !isComplete(found) });
  useRefreshWith(posture ?? null);
  // What was missing at first stays in view with its tick when it has come.
  const [missed, setMissed] = useState(false);
  if (posture && !isComplete(posture) && !missed) setMissed(true);
  const guide = posture && missed ? <GettingStarted project={project} posture={posture} /> : null;
  const isNew = posture ? !isStarted(posture) : false;
  return (
    <Page title="Overview" answer={answerOf(posture, error)}>
      {project.description !== null && <p>{project.description}</p>}
      <VerdictProgress projectId={project.id} />
      {isNew && guide}
      {posture && !wasLookedAt(posture) ? null : <PostureOverview projectId={project.id} {...search} />}
      {!isNew && guide}
    </Page>
  );
}

function answerOf(posture: ProjectPosture | null | undefined, error: unknown): string {
  if (posture) return postureAnswer({ items: [posture], has_more: false }, new Date()) ?? '';
  return posture === undefined && error === null ? 'Looking at the project …' : 'Its counts could not be asked for.';
}

/** When something has come, all that is shown of the project is asked for again. */
function useRefreshWith(posture: ProjectPosture | null): void {
  const queryClient = useQueryClient();
  const state =
    posture === null ? null : JSON.stringify([posture.stack_changed_at, posture.usage_reported_at, posture.scanned_at]);
  const [seen, setSeen] = useState(state);
  useEffect(() => {
    if (state === null || state === seen) return;
    setSeen(state);
    if (seen === null) return;
    void queryClient.invalidateQueries(api.posture.pathFilter());
    void queryClient.invalidateQueries(api.alerts.pathFilter());
    void queryClient.invalidateQueries(api.techStack.pathFilter());
  }, [state, seen, queryClient]);
}
