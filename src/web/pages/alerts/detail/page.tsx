import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect } from 'react';
import { isPosternError } from '../../../../client/index.js';
import { api } from '../../../api/client.js';
import { useMay, useSession } from '../../../api/session.js';
import { Button } from '../../../components/button/button.js';
import { useKeys } from '../../../components/keys/use-keys.js';
import { WebLink } from '../../../components/link/link.js';
import { Loaded, Missing, Skeleton } from '../../../components/page/page.js';
import { listOf, useProjectId } from '../../../components/posture/scope.js';
import { exposureMeanings, exposureWords } from '../../../words.js';
import { AlertHeading, Fix } from './alert-heading.js';
import styles from './detail.module.css';
import { type Alert, Part, type Verdict } from './detail-part.js';
import { ExploitContext } from './exploit-context.js';
import { History } from './history.js';
import { Override } from './override.js';
import { Score } from './score.js';
import { UsageEvidence } from './usage-evidence.js';

/** An alert beside the list over all projects, or of its project. */
export default function AlertPage() {
  const { projectId = '', alertId = '' } = useParams({ strict: false });
  const list = listOf('dependencies', { projectId: useProjectId() });
  const navigate = useNavigate();
  const close = () => navigate({ ...list, search: true, resetScroll: false });
  return <AlertDetail key={alertId} projectId={projectId} alertId={alertId} onClose={close} />;
}

interface AlertDetailProps {
  readonly projectId: string;
  readonly alertId: string;
  readonly onClose: () => void;
}

/** One alert: what it is and what to do, then the evidence, the score, what people ruled, and what happened. */
function AlertDetail({ projectId, alertId, onClose }: AlertDetailProps) {
  const alert = useQuery(api.alerts.get.queryOptions({ project_id: projectId, alert_id: alertId }));
  const close = () => closeAndReturn(onClose);
  useKeys({ Escape: close });
  useEffect(() => {
    // In the place of the list, where there is no room beside it, a page begins at its top.
    if (!window.matchMedia('(min-width: 1100px)').matches) window.scrollTo(0, 0);
  }, []);
  return (
    <div className={styles.detail}>
      <h1 className={styles.back}>
        <Button look="quiet" onClick={close}>
          <ArrowLeft aria-hidden="true" /> Alerts
        </Button>
      </h1>
      <Button look="quiet" size="small" className={styles.close} onClick={close} aria-label="Close the alert">
        <X aria-hidden="true" />
      </Button>
      <Loaded query={alert} skeleton={<Skeleton rows={14} />}>
        {(data) => <Known alert={data} />}
      </Loaded>
    </div>
  );
}

/** Closes, and gives the focus back to the row that was open. */
function closeAndReturn(onClose: () => void): void {
  const row = document.querySelector<HTMLElement>('a[data-row-link][aria-current="page"]');
  onClose();
  row?.focus();
}

function Known({ alert }: { readonly alert: Alert }) {
  const project = useQuery(api.projects.get.queryOptions({ project_id: alert.project_id }));
  const repo = project.data?.repo ?? null;
  return (
    <>
      <AlertHeading alert={alert} projectName={project.data?.name} />
      <Fix alert={alert} />
      <Judged alert={alert} repo={repo} />
      <References references={alert.references} />
      <History alert={alert} />
    </>
  );
}

/** What the verdict rests on. Without one it says why there is none, and what would give one. */
function Judged({ alert, repo }: { readonly alert: Alert; readonly repo: string | null }) {
  const isFree = useSession().organisation.plan === 'Free';
  const may = useMay(alert.project_id);
  const verdictId = alert.verdict?.id;
  const query = useQuery({
    ...api.reachability.getVerdict.queryOptions({ project_id: alert.project_id, verdict_id: verdictId ?? '' }),
    enabled: verdictId !== undefined && !isFree,
  });
  const needsPlan = isFree || (isPosternError(query.error) && query.error.data.failure === 'plan_required');
  if (needsPlan || verdictId === undefined) {
    return (
      <>
        <Part title="Usage">
          {needsPlan ? (
            <Missing
              title="Verdicts are not in your plan."
              reason="How the project uses the package, the score and overrides need a Business or Enterprise subscription. All else is here."
            />
          ) : (
            <Missing
              title="Unanalyzed."
              reason="No usage report has been uploaded for this project, so nobody knows how it uses the package."
            />
          )}
          {!needsPlan && may('reachability.uploadUsageReport') && (
            <p>
              <Link to="/projects/$projectId/uploads" params={{ projectId: alert.project_id }}>
                Upload a usage report
              </Link>{' '}
              with <code>reach analyze</code>.
            </p>
          )}
        </Part>
        <ExploitContext exploit={{ ...alert, kev_catalogue: undefined }} kev={alert.kev} />
      </>
    );
  }
  return (
    <Loaded query={query} skeleton={<Skeleton rows={12} />}>
      {(verdict) => (
        <>
          <Part title="Why">
            <Reasoning text={verdict.reasoning} />
          </Part>
          <Override alert={alert} verdict={verdict} />
          <UsageEvidence usage={verdict.evidence.usage} repo={repo} />
          <ExploitContext exploit={verdict.evidence.exploit} kev={alert.kev} />
          <ExposureEvidence exposure={verdict.evidence.exposure} projectId={alert.project_id} />
          <Score verdict={verdict} />
        </>
      )}
    </Loaded>
  );
}

/** The machine's sentences. What stands in backquotes in them is a name or a place in code. */
function Reasoning({ text }: { readonly text: string }) {
  return (
    <p>
      {text.split('`').map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places.
        at % 2 === 0 ? part : <code key={at}>{part}</code>,
      )}
    </p>
  );
}

/** What others wrote about it. Addresses come from feeds: only those of the web are links. */
function References({ references }: Pick<Alert, 'references'>) {
  if (references.length === 0) return null;
  return (
    <Part title="References">
      <ul className={styles.places}>
        {references.map(({ kind, url }) => (
          <li key={`${kind} ${url}`}>
            <span className={styles.quiet}>{kind}</span> <WebLink href={url} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface ExposureEvidenceProps {
  readonly exposure: Verdict['evidence']['exposure'];
  readonly projectId: string;
}

/** The third layer of evidence: how far the project can be reached, as its team declares it. */
function ExposureEvidence({ exposure, projectId }: ExposureEvidenceProps) {
  return (
    <Part
      title="3 · Exposure"
      actions={
        <Link to="/projects/$projectId/settings" params={{ projectId }}>
          Change
        </Link>
      }
    >
      <p>
        <strong>{exposureWords[exposure]}</strong>. {exposureMeanings[exposure]}
      </p>
    </Part>
  );
}
