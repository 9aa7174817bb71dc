import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isSampleProject } from '../../../shared/sample-projects.js';
import { api } from '../../api/client.js';
import { GroupBar } from '../../components/groups/group-filter.js';
import { Page } from '../../components/page/page.js';
import { postureAnswer } from '../../components/posture/answer.js';
import { PostureOverview } from '../../components/posture/overview.js';
import { scoped } from '../../components/posture/types.js';
import { NewProject } from '../../components/project-form/new-project.js';
import { FirstProject, SampleOnly } from './first-project.js';

const route = getRouteApi('/frame/');

/** Projects that are asked for to tell whether one is the reader's own: one more than the sample has. */
const enough = 3;

export function PosturePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const first = useQuery(api.projects.list.queryOptions({ page_size: enough }));
  const projects = useQuery(api.posture.listProjects.queryOptions({ ...scoped(search), page_size: 100 }));
  const answer = projects.data === undefined ? null : postureAnswer(projects.data, new Date());
  if (first.data?.items.length === 0) return <FirstProject />;
  const isSample = first.data?.items.every(isSampleProject) ?? false;
  const state =
    projects.error === null ? 'Looking at all projects …' : 'The projects could not be asked for this sentence.';
  return (
    <Page title="Posture" answer={answer ?? state} actions={isSample && <NewProject />}>
      {isSample && <SampleOnly />}
      <GroupBar
        value={search.group}
        onChange={(group) => navigate({ search: (before) => ({ ...before, group }), resetScroll: false })}
      />
      <PostureOverview {...search} />
    </Page>
  );
}
