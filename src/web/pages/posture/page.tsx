import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isSampleProject } from '../../../shared/sample-projects.js';
import { api } from '../../api/client.js';
import { useMay, useSession } from '../../api/session.js';
import { GroupBar } from '../../components/groups/groups.js';
import { Empty, Page, Section } from '../../components/page/page.js';
import { postureAnswer } from '../../components/posture/answer.js';
import { PostureOverview } from '../../components/posture/overview.js';
import { scoped } from '../../components/posture/types.js';
import { NewProject } from '../../components/project-form/new-project.js';
import styles from './first-project.module.css';

const route = getRouteApi('/frame/');

/** Projects that are asked for to tell whether one is the reader's own: one more than the sample has. */
const enough = 3;

export default function PosturePage() {
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

/** The way from nothing to a first answer, in the order of what it brings. */
function Steps() {
  return (
    <ol className={styles.steps}>
      <li>
        <strong>Create the project.</strong> A name is enough; how far it can be reached makes verdicts sharper.
      </li>
      <li>
        <strong>Sync its packages.</strong> One command reads the lock files. Alerts follow at once.
      </li>
      <li>
        <strong>Analyze how they are used.</strong> One command reads the source, without running it. Each alert gets a
        verdict: does it matter here?
      </li>
      <li>
        <strong>Upload scans.</strong> Reports of the scanners that you already run: code, running app, images.
      </li>
    </ol>
  );
}

/** The posture of an organisation without a project: nothing was looked at, so nothing is said to be safe. */
function FirstProject() {
  const { organisation, member } = useSession();
  const may = useMay();
  if (!may('projects.create')) {
    const none =
      member?.role === 'none'
        ? 'No project is in a group that you have a role in. An admin gives you one.'
        : `${organisation.name} has no project yet, so nothing was looked at. A member creates one.`;
    return (
      <Page title="Posture" answer="There is nothing to look at yet.">
        <Empty title={none} />
      </Page>
    );
  }
  return (
    <Page title="Posture" answer={`${organisation.name} has no project yet, so nothing was looked at.`}>
      <Section title="Your first project">
        <Empty title="Four steps to the first answer; the commands come with the project.">
          <Steps />
          <NewProject />
        </Empty>
      </Section>
    </Page>
  );
}

/** Says that the numbers below are of the sample, and how to get one's own. */
function SampleOnly() {
  return (
    <details className={styles.sample}>
      <summary>
        <strong>These projects are a sample.</strong> Your own is four steps away.
      </summary>
      <Steps />
    </details>
  );
}
