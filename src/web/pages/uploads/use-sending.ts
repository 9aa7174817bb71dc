import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/client.js';
import { type Outcome, sendUpload } from '../../api/send-upload.js';
import { inTurn } from './in-turn.js';

type Upload = Omit<Parameters<typeof sendUpload>[0], 'onProgress'>;

export interface Sending {
  readonly send: (upload: Upload) => void;
  readonly isPending: boolean;
  readonly error: unknown;
  /** Part of the body that was sent, 0-1; null before it begins. */
  readonly progress: number | null;
  readonly outcome: Outcome | null;
}

/** Sends one file, when it is its turn. */
export function useSending(): Sending {
  const [progress, setProgress] = useState<number | null>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (upload: Upload) =>
      inTurn(() =>
        sendUpload({ ...upload, onProgress: ({ sent, total }) => setProgress(total === 0 ? 1 : sent / total) }),
      ),
    onSettled: () => setProgress(null),
    onSuccess: ({ job }) => (job === null ? refreshAll() : undefined),
  });
  return { send: mutate, isPending, error, progress, outcome: data ?? null };
}

/** An upload may change any page. */
export function refreshAll(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first !== 'session' && first !== 'file',
  });
}
