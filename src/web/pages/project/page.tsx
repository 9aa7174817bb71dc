import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Page } from '../../components/page/page.js';
import { postureAnswer, wasLookedAt } from '../../components/posture/answer.js';
import { PostureOverview } from '../../components/posture/overview.js';
import type { ProjectPosture } from '../../components/posture/types.js';
import { useProjectPosture } from '../../components/posture/use-project-posture.js';
import { Skeleton } from '../../components/state/state.js';
import { GettingStarted } from './getting-started.js';
import { NotKnown } from './not-known.js';
import styles from './page.module.css';
import { isComplete } from './steps.js';
import { useRefreshWith } from './use-refresh-with.js';
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
  const { data: posture = null, error, isPending } = useProjectPosture(project, (found) => !isComplete(found));
  useRefreshWith(posture);
  // The guide stays where it was, and keeps its key, when what was missing comes while the reader looks.
  const [begun, setBegun] = useState<ProjectPosture | null>(null);
  if (begun === null && posture !== null) setBegun(posture);
  const hasGuide = begun !== null && !isComplete(begun);
  const isGuideFirst = begun !== null && !wasLookedAt(begun);
  const guide = hasGuide && posture !== null && <GettingStarted project={project} posture={posture} />;
  return (
    <Page title="Overview" answer={answerOf(posture, error !== null || !isPending)}>
      {project.description !== null && <p className={styles.description}>{project.description}</p>}
      {hasGuide && !isGuideFirst && <NotKnown project={project} posture={posture ?? begun} />}
      <VerdictProgress projectId={project.id} />
      {isGuideFirst && guide}
      {(posture === null || wasLookedAt(posture)) && <PostureOverview projectId={project.id} {...search} />}
      {!isGuideFirst && guide}
    </Page>
  );
}

function answerOf(posture: ProjectPosture | null, isAsked: boolean): string {
  if (posture !== null) return postureAnswer({ items: [posture], has_more: false }, new Date()) ?? '';
  return isAsked ? 'Its counts could not be asked for.' : 'Looking at the project …';
}
