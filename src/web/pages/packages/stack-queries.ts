import { api } from '../../api/client.js';

/** What a change of the stack changes: packages, their health, alerts and the posture. */
export const stackQueries = [api.techStack, api.intelligence, api.alerts, api.posture, api.reachability].map((each) =>
  each.pathFilter(),
);
