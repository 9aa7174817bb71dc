import { useMay } from '../../api/may.js';
import { useSession } from '../../api/session.js';
import { Page, Section } from '../../components/page/page.js';
import { NewProject } from '../../components/project-form/new-project.js';
import { Empty } from '../../components/state/state.js';
import styles from './first-project.module.css';

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
export function FirstProject() {
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
export function SampleOnly() {
  return (
    <details className={styles.sample}>
      <summary>
        <strong>These projects are a sample.</strong> Your own is four steps away.
      </summary>
      <Steps />
    </details>
  );
}
