import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api, client, useChange } from '../../api/client.js';
import { useMay, useSession } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { Card, Failed, Section } from '../../components/page/page.js';
import type { ProjectPosture } from '../../components/posture/types.js';
import { Time } from '../../components/tip/tip.js';
import styles from './getting-started.module.css';
import { type Project, type Step, stepsOf } from './steps.js';

/** Where links from above lead to. */
export const guideId = 'to-know-more';

/** What is not known of the project yet, and the commands that bring it. The page sees by itself what has come. */
export function GettingStarted({ project, posture }: { readonly project: Project; readonly posture: ProjectPosture }) {
  const [key, setKey] = useState<string | null>(null);
  const { organisation } = useSession();
  const mayBring = useMay(project.id)('techStack.sync');
  const steps = stepsOf(project, posture);
  const come = steps.filter(({ at }) => at !== null).length;
  const next = steps.find(({ at }) => at === null);
  return (
    <div id={guideId} className={styles.guide}>
      <Section title={posture.stack_changed_at === null ? 'First steps' : 'To know more'}>
        <Card>
          <p role="status" className={styles.state}>
            {come} of {steps.length} have come.
            {next !== undefined && ' This page waits for the others while it is open.'}
          </p>
          {next !== undefined && !mayBring && <p className={styles.quiet}>Members of the project bring the others.</p>}
          {next !== undefined && mayBring && (
            <div className={styles.prepare}>
              <h3>In a terminal, in the folder of the source</h3>
              <CopyText
                label="the settings for the commands"
                text={`export SERVICE_API_URL=${window.location.origin}\nexport SERVICE_API_KEY=${key ?? '<a ReadWrite key>'}`}
              />
              <ProjectKey project={project} isMade={key !== null} onMade={setKey} />
            </div>
          )}
          <ol className={styles.steps}>
            {steps.map((step) => (
              <StepRow key={step.id} step={step} isOpen={step === next} plan={organisation.plan} mayBring={mayBring} />
            ))}
          </ol>
          {mayBring && (
            <p className={styles.quiet}>
              Or drop a file under{' '}
              <Link to="/projects/$projectId/uploads" params={{ projectId: project.id }}>
                Uploads
              </Link>
              : lock file, SBOM or report.
            </p>
          )}
        </Card>
      </Section>
    </div>
  );
}

interface StepRowProps {
  readonly step: Step;
  readonly isOpen: boolean;
  readonly plan: string;
  readonly mayBring: boolean;
}

function StepRow({ step: { title, brings, command, at, plan: needed }, isOpen, plan, mayBring }: StepRowProps) {
  if (at !== null) {
    return (
      <li className={styles.step} data-come>
        <CircleCheck aria-hidden="true" />
        <p>
          <strong>{title}</strong>: came <Time at={at} />
        </p>
      </li>
    );
  }
  const isRefused = needed !== undefined && plan === 'Free';
  return (
    <li className={styles.step}>
      <CircleDashed aria-hidden="true" />
      <details open={isOpen}>
        <summary>
          <strong>{title}</strong>: not yet. {brings}
        </summary>
        {isRefused && <p className={styles.quiet}>Verdicts need a Business or Enterprise subscription.</p>}
        {!isRefused && mayBring && <CopyText text={command} label={`the command for ${title}`} />}
      </details>
    </li>
  );
}

/** Days for which a key made here is good. */
const keyDays = 90;

interface ProjectKeyProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly isMade: boolean;
  readonly onMade: (key: string) => void;
}

/** Makes a key that reaches this project alone. The caller shows it: it is answered once. */
function ProjectKey({ project, isMade, onMade }: ProjectKeyProps) {
  const may = useMay();
  const create = useChange({
    send: client.apiKeys.create.mutate,
    onDone: ({ key }) => onMade(key),
    stale: [api.apiKeys.pathFilter()],
  });
  if (!may('apiKeys.create'))
    return <p className={styles.quiet}>A key is made by an admin of your organisation. Ask for a ReadWrite key.</p>;
  if (isMade) {
    return (
      <p role="status" className={styles.quiet}>
        The key is shown once: copy it now. It reaches this project alone, for {keyDays} days; revoke it under{' '}
        <Link to="/settings/api-keys">API keys</Link>.
      </p>
    );
  }
  const make = () => {
    const expires_at = new Date(Date.now() + keyDays * 86_400_000).toISOString();
    const name = `reach, ${project.name}`.slice(0, 100);
    create.mutate({ name, scope: 'ReadWrite', project_ids: [project.id], expires_at });
  };
  return (
    <div className={styles.key}>
      <Button onClick={make} busy={create.isPending}>
        <KeyRound aria-hidden="true" /> Make a key for this project
      </Button>
      {create.error !== null && <Failed error={create.error} onRetry={make} />}
    </div>
  );
}
