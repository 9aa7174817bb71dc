import { alerts } from './alerts.js';
import { apiKeys } from './api-keys.js';
import { containers } from './containers.js';
import { dast } from './dast.js';
import type { Composite, Groups } from './define.js';
import { groups } from './groups.js';
import { intelligence } from './intelligence.js';
import { organisation } from './organisation.js';
import { posture } from './posture.js';
import { projects } from './projects.js';
import { reachability } from './reachability.js';
import { receipts } from './receipts.js';
import { remediation } from './remediation.js';
import { sast } from './sast.js';
import { session } from './session.js';
import { signIn } from './sign-in.js';
import { techStack } from './tech-stack.js';
import { uploads } from './uploads.js';
import { vex } from './vex.js';
import { webhooks } from './webhooks.js';

/** Every procedure of the API, by group and member. Tools are listed in this order. */
export const procedures = {
  organisation,
  projects,
  groups,
  alerts,
  sast,
  dast,
  reachability,
  containers,
  techStack,
  webhooks,
  intelligence,
  posture,
  remediation,
  receipts,
  vex,
  uploads,
  session,
  signIn,
  apiKeys,
} satisfies Groups;

export type Procedures = typeof procedures;

/** The composites, as a union of their definitions. */
export type Composites = {
  [Group in keyof Procedures]: Extract<Procedures[Group][keyof Procedures[Group]], Composite>;
}[keyof Procedures];

/** The procedures that have a request of their own: all but the composites. */
export type Requests = {
  readonly [Group in keyof Procedures]: {
    readonly [Member in keyof Procedures[Group] as Procedures[Group][Member] extends Composite
      ? never
      : Member]: Procedures[Group][Member];
  };
};
