import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { api } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { refetchWhileRunning } from '../../api/while-running.js';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { counted } from '../../components/format/format.js';
import { Empty, Loaded, Page, Section } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { JobState, JobTag } from '../../components/upload/job-state.js';
import { uploadWords } from '../../words.js';
import { QueuedFile } from './queued-file.js';
import { syncCommand } from './sync-command.js';
import styles from './uploads.module.css';

const route = getRouteApi('/frame/projects/$projectId/uploads');

interface Queued {
  readonly id: number;
  readonly file: File;
}

/** Takes files of scanners, SBOMs and usage reports for one project. */
export default function UploadsPage() {
  const { projectId } = route.useParams();
  const mayUpload = useMay(projectId)('sast.uploadReport');
  const [queue, setQueue] = useState<readonly Queued[]>([]);
  const next = useRef(0);
  const forms = useRef<HTMLUListElement>(null);
  const add = (files: readonly File[]) => {
    const added = files.map((file) => {
      next.current += 1;
      return { id: next.current, file };
    });
    setQueue((before) => [...before, ...added]);
  };
  // Each form says itself what it lacks; one that was sent has no form any more.
  const sendAll = () => {
    for (const form of forms.current?.querySelectorAll('form') ?? []) form.requestSubmit();
  };
  return (
    <Page
      title="Uploads"
      answer={
        mayUpload
          ? 'Drop a scanner’s report, an SBOM or a usage report. Each file says what became of each of its rows.'
          : 'Members of the project upload scanners’ reports, SBOMs and usage reports.'
      }
    >
      {mayUpload && <DropZone projectId={projectId} onFiles={add} />}
      {queue.length > 0 && (
        <Section
          title={`Chosen: ${counted(queue.length, 'file')}`}
          actions={queue.length > 1 && <Button onClick={sendAll}>Send all</Button>}
        >
          <ul ref={forms} className={styles.queue}>
            {queue.map(({ id, file }) => (
              <li key={id}>
                <QueuedFile
                  file={file}
                  projectId={projectId}
                  onRemove={() => setQueue((before) => before.filter((each) => each.id !== id))}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Large uploads of the last 7 days">
        <PastUploads projectId={projectId} />
      </Section>
    </Page>
  );
}

interface DropZoneProps {
  readonly projectId: string;
  readonly onFiles: (files: readonly File[]) => void;
}

function DropZone({ projectId, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <section
      className={styles.zone}
      aria-label="Choose files"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Upload aria-hidden="true" />
      <p>
        <strong>Drop files here</strong>: SARIF, ZAP, Trivy, Grype, CycloneDX, SPDX, VEX or reach/1, also gzip.
      </p>
      <Button look="primary" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      <details>
        <summary>Lock files are read where they are, by a command</summary>
        <CopyText text={syncCommand(projectId)} label="the command that reads lock files" />
      </details>
    </section>
  );
}

/** The jobs of one project's large uploads, with their results. */
function PastUploads({ projectId }: { readonly projectId: string }) {
  const query = useQuery({
    ...api.uploads.list.queryOptions({ project_id: projectId, page_size: 25 }),
    refetchInterval: refetchWhileRunning(({ state }) => state),
  });
  return (
    <Loaded query={query}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty title="No large upload in the last 7 days.">
            <p>Small files are answered at once, and leave no job. Their scans are on the pages of their findings.</p>
          </Empty>
        ) : (
          <>
            <ul className={styles.past}>
              {items.map((job) => (
                <li key={job.id}>
                  <header>
                    <JobTag state={job.state} />
                    <strong>{uploadWords[job.procedure] ?? job.procedure}</strong>
                    <span className={styles.quiet}>
                      <Time at={job.received_at} />
                    </span>
                  </header>
                  <JobState job={job} />
                </li>
              ))}
            </ul>
            {total > items.length && (
              <p>
                The newest {items.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
