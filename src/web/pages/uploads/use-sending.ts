import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type UploadPath, uploadReport } from '../../../client/index.js';
import { queryClient } from '../../api/client.js';
import { inTurn } from './in-turn.js';

interface Upload {
  readonly path: UploadPath;
  /** The procedure's input without its document. */
  readonly input: { readonly project_id: string };
  readonly body: Blob;
  readonly contentType: string;
}

/** What a file became: its answer, or the id of the job that will have one. */
type Outcome = { readonly job: string; readonly answer: null } | { readonly job: null; readonly answer: unknown };

export interface Sending {
  readonly send: (upload: Upload) => void;
  readonly isPending: boolean;
  readonly error: unknown;
  /** Part of the body that was sent, 0-1; null before it begins. */
  readonly progress: number | null;
  readonly outcome: Outcome | null;
}

export function useSending(): Sending {
  const [progress, setProgress] = useState<number | null>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (upload: Upload) => inTurn(() => sendUpload(upload, setProgress)),
    onSettled: () => setProgress(null),
    onSuccess: ({ job }) => (job === null ? refreshAll() : undefined),
  });
  return { send: mutate, isPending, error, progress, outcome: data ?? null };
}

async function sendUpload(
  { path, input, body, contentType }: Upload,
  showProgress: (part: number) => void,
): Promise<Outcome> {
  const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) =>
    showProgress(total === 0 ? 1 : sent / total);
  const { answer, job } = await uploadReport(path, input, body, { contentType, onProgress });
  return job === null ? { job, answer } : { job: job.id, answer: null };
}

/** An upload may change any page. */
export function refreshAll(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first !== 'session' && first !== 'file',
  });
}
