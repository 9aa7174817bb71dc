import { alerts } from './alerts.js';
import { apiKeys } from './api-keys.js';
import { containers } from './containers.js';
import { dast } from './dast.js';
import type { Groups } from './define.js';
import { intelligence } from './intelligence.js';
import { organisation } from './organisation.js';
import { projects } from './projects.js';
import { reachability } from './reachability.js';
import { sast } from './sast.js';
import { session } from './session.js';
import { techStack } from './tech-stack.js';
import { webhooks } from './webhooks.js';

/** Every procedure of the API, by group and member. Tools are listed in this order. */
export const procedures = {
  organisation,
  projects,
  alerts,
  sast,
  dast,
  reachability,
  containers,
  techStack,
  webhooks,
  intelligence,
  session,
  apiKeys,
} satisfies Groups;

export type Procedures = typeof procedures;
