import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, queryClient, type RouterOutputs } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { count } from '../../components/format/format.js';
import { Page, Skeleton } from '../../components/page/page.js';
import { postureAnswer, wasLookedAt } from '../../components/posture/answer.js';
import { PostureOverview } from '../../components/posture/overview.js';
import type { ProjectPosture } from '../../components/posture/types.js';
import { GettingStarted, guideId } from './getting-started.js';
import styles from './page.module.css';
import { isComplete, type Project, stepsOf } from './steps.js';

const route = getRouteApi('/frame/projects/$projectId/');

export default function ProjectPage() {
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

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What is not known of the project, with the way down to how it becomes known. */
function NotKnown({ project, posture }: { readonly project: Project; readonly posture: ProjectPosture }) {
  const missing = stepsOf(project, posture).filter(({ at }) => at === null);
  if (missing.length === 0) return null;
  return (
    <p>
      Not known yet: {list.format(missing.map(({ what }) => what))}. <a href={`#${guideId}`}>How to know more</a>
    </p>
  );
}

/** When something of the project has come, all that is shown of it is asked for again. */
function useRefreshWith(posture: ProjectPosture | null): void {
  const seen = useRef<string | null>(null);
  const state =
    posture === null ? null : JSON.stringify([posture.stack_changed_at, posture.usage_reported_at, posture.scanned_at]);
  useEffect(() => {
    const before = seen.current;
    if (state !== null) seen.current = state;
    if (state === null || before === null || before === state) return;
    void queryClient.invalidateQueries(api.posture.pathFilter());
    void queryClient.invalidateQueries(api.alerts.pathFilter());
    void queryClient.invalidateQueries(api.techStack.pathFilter());
    void queryClient.invalidateQueries(api.reachability.pathFilter());
  }, [state]);
}

const pollMs = 5_000;

/**
 * What is open in one project and when it was last looked at: its row in the list of projects, which is found by its name.
 *
 * @param pollWhile while this holds and the page is visible, it is asked for again and again
 */
function useProjectPosture(
  { id, name }: { readonly id: string; readonly name: string },
  pollWhile: (project: ProjectPosture) => boolean,
) {
  return useQuery({
    ...api.posture.listProjects.queryOptions({ q: name, sort: 'name', page_size: 100 }),
    select: ({ items }) => items.find((each) => each.id === id) ?? null,
    refetchInterval: ({ state }) => {
      const found = state.data?.items.find((each) => each.id === id);
      return found !== undefined && pollWhile(found) ? pollMs : false;
    },
  });
}

const verdictPollMs = 3_000;

/** How far verdicts are, while they are brought up to date. Nothing where they are, or where the plan has none. */
function VerdictProgress({ projectId }: { readonly projectId: string }) {
  const { organisation } = useSession();
  const { data } = useQuery(
    api.reachability.progress.queryOptions(
      { project_id: projectId },
      {
        enabled: organisation.plan !== 'Free',
        refetchInterval: ({ state }) => (state.data?.pending === true ? verdictPollMs : false),
      },
    ),
  );
  const pending = data?.pending === true;
  const before = useRef(pending);
  useEffect(() => {
    const isDone = before.current && !pending;
    before.current = pending;
    if (!isDone) return;
    void queryClient.invalidateQueries(api.posture.pathFilter());
    void queryClient.invalidateQueries(api.alerts.pathFilter());
  }, [pending]);
  if (data === undefined || !pending) return null;
  return (
    <div className={styles.progress} role="status">
      <label htmlFor="verdict-progress">
        Verdicts are being brought up to date: {count(data.judged)} of {count(data.alerts)} alerts are judged. What is
        below may change.
      </label>
      <progress id="verdict-progress" value={data.judged} max={Math.max(data.alerts, 1)} />
    </div>
  );
}
