import { api, queryClient } from '../../../api/client.js';
import { refreshAlerts } from '../rows.js';
import type { Verdict } from './answers.js';

/** Shows a verdict that the service has answered, and asks for all that follows from it again. */
export async function showVerdict(verdict: Verdict): Promise<void> {
  const { id, project_id } = verdict;
  queryClient.setQueryData(api.reachability.getVerdict.queryKey({ project_id, verdict_id: id }), verdict);
  await refreshAlerts();
}
