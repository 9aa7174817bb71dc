import { api, queryClient } from '../../api/client.js';

/** A change of the stack changes packages, their health, alerts and the posture. */
export async function refreshStack(): Promise<void> {
  const filters = [api.techStack, api.intelligence, api.alerts, api.posture, api.reachability];
  await Promise.all(filters.map((each) => queryClient.invalidateQueries(each.pathFilter())));
}
