import { useMutation } from '@tanstack/react-query';
import { isPosternError } from '../../../../client/index.js';
import { api, queryClient } from '../../../api/client.js';
import { Button } from '../../../components/button/button.js';
import { toast } from '../../../components/toast/toast.js';
import type { Verdict } from './answers.js';

interface ChangedMeanwhileProps {
  readonly error: unknown;
  readonly verdict: Verdict;
  readonly onReloaded: () => void;
}

/** Shown where somebody else changed the verdict first: what that means, and a way to see the present one. */
export function ChangedMeanwhile({ error, verdict, onReloaded }: ChangedMeanwhileProps) {
  const { project_id, id } = verdict;
  const reload = useMutation({
    mutationFn: () => {
      const options = api.reachability.getVerdict.queryOptions({ project_id, verdict_id: id });
      return queryClient.fetchQuery({ ...options, staleTime: 0 });
    },
    onSuccess: onReloaded,
    onError: (failed) => toast.failed('The verdict was not loaded', failed),
  });
  if (!isPosternError(error) || error.data.failure !== 'conflict') return null;
  return (
    <div>
      <p>
        Somebody changed this verdict, or its evidence changed, after it was loaded here. Look at it as it is now, then
        decide again. What you typed stays.
      </p>
      <Button size="small" busy={reload.isPending} onClick={() => reload.mutate()}>
        Load the present verdict
      </Button>
    </div>
  );
}
