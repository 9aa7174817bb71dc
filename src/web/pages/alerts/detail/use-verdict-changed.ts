import { api, queryClient } from '../../../api/client.js';
import { refreshAlerts } from '../rows.js';
import type { Verdict } from './answers.js';

/** What to do when the service has answered a changed verdict: show it, and ask for all that follows from it again. */
export function useVerdictChanged() {
  return async (verdict: Verdict): Promise<void> => {
    const { id, project_id } = verdict;
    queryClient.setQueryData(api.reachability.getVerdict.queryKey({ project_id, verdict_id: id }), verdict);
    await refreshAlerts();
  };
}
