import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useMay } from '../../api/may.js';
import { Button } from '../../components/button/button.js';
import { counted } from '../../components/number/number.js';
import { Page, Section } from '../../components/page/page.js';
import { DropZone } from './drop-zone.js';
import { PastUploads } from './past-uploads.js';
import { QueuedFile } from './queued-file.js';
import styles from './uploads.module.css';

const route = getRouteApi('/frame/projects/$projectId/uploads');

interface Queued {
  readonly id: number;
  readonly file: File;
}

/** Takes files of scanners, SBOMs and usage reports for one project. */
export function UploadsPage() {
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
