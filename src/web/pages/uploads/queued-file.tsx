import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { bytes } from '../../components/format/format.js';
import { Loaded, Skeleton } from '../../components/page/page.js';
import { JobState, UploadResult } from '../../components/upload/job-state.js';
import { type Kind, maxBytes, type Sniffed, sniff } from './sniff.js';
import { syncCommand } from './sync-command.js';
import { UploadForm } from './upload-form.js';
import styles from './uploads.module.css';
import { refreshAll, useSending } from './use-sending.js';

interface QueuedFileProps {
  readonly file: File;
  readonly projectId: string;
  readonly onRemove: () => void;
}

/** One file on its way: what it is, what must be said of it, how far it is, and what became of it. */
export function QueuedFile({ file, projectId, onRemove }: QueuedFileProps) {
  const id = useId();
  const head = useQuery({
    queryKey: ['file', id],
    queryFn: async () => {
      const { text, isGzip } = await readHead(file);
      return { sniffed: sniff(file.name, text), isGzip, isXml: text.trimStart().startsWith('<') };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [chosen, setChosen] = useState<Kind | null>(null);
  const sending = useSending();
  const { outcome } = sending;
  const sniffed = head.data?.sniffed ?? null;
  return (
    <article className={styles.file} aria-label={file.name}>
      <header>
        <strong>{file.name}</strong>
        <span className={styles.quiet}>{bytes(file.size)}</span>
        <Button look="quiet" size="small" aria-label={`Take ${file.name} off the list`} onClick={onRemove}>
          <X aria-hidden="true" />
        </Button>
      </header>
      {head.isPending && <Skeleton rows={1} label={`Reading ${file.name}`} />}
      {head.isError && <p role="alert">The file cannot be read: it may have been moved or changed.</p>}
      {outcome === null && head.data !== undefined && (
        <>
          <Recognised sniffed={sniffed} isChosen={chosen !== null} projectId={projectId} />
          {sniffed !== 'lockfile' && file.size <= maxBytes && (
            <UploadForm
              kind={chosen ?? sniffed}
              onKind={setChosen}
              fileName={file.name}
              sending={sending}
              onSend={(path, input) => {
                const { isGzip, isXml } = head.data;
                const contentType = isGzip ? 'application/gzip' : isXml ? 'application/xml' : 'application/json';
                sending.send({ path, input: { project_id: projectId, ...input }, body: file, contentType });
              }}
            />
          )}
          {file.size > maxBytes && <p role="alert">It is larger than {bytes(maxBytes)}, the most that is taken.</p>}
        </>
      )}
      <div role="status">
        {outcome?.answer != null && <UploadResult answer={outcome.answer} />}
        {outcome?.job != null && <RunningJob projectId={projectId} uploadId={outcome.job} />}
      </div>
    </article>
  );
}

interface RecognisedProps {
  readonly sniffed: Sniffed;
  readonly isChosen: boolean;
  readonly projectId: string;
}

function Recognised({ sniffed, isChosen, projectId }: RecognisedProps) {
  if (sniffed === 'lockfile') {
    return (
      <>
        <p>This is a lock file. The service does not read those; the command-line tool does, in the source tree:</p>
        <CopyText text={syncCommand(projectId)} label="the command that reads lock files" />
      </>
    );
  }
  if (isChosen) return null;
  return sniffed === null ? <p>Its content was not recognised. Say what it is.</p> : null;
}

const intervalMs = 1_000;

/** A large upload while the service works on it, then its result. */
function RunningJob({ projectId, uploadId }: { readonly projectId: string; readonly uploadId: string }) {
  const query = useQuery({
    ...api.uploads.get.queryOptions({ project_id: projectId, upload_id: uploadId }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'done' || data?.state === 'failed' ? false : intervalMs),
  });
  const isDone = query.data?.state === 'done';
  useEffect(() => {
    if (isDone) void refreshAll();
  }, [isDone]);
  return (
    <Loaded query={query} skeleton={<Skeleton rows={1} />}>
      {(job) => <JobState job={job} />}
    </Loaded>
  );
}

/** Bytes of a file that are looked at to recognise it. */
const headBytes = 1024 * 1024;

interface Head {
  readonly text: string;
  readonly isGzip: boolean;
}

/** The first part of a file as text: unpacked where it is gzip, in the encoding that its byte order mark names. */
async function readHead(file: Blob): Promise<Head> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const stream = isGzip
    ? file.stream().pipeThrough(new DecompressionStream('gzip'))
    : file.slice(0, headBytes).stream();
  const bytes = await firstBytes(stream.getReader());
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return { text: new TextDecoder(encoding).decode(bytes), isGzip };
}

async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  await reader.cancel();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
