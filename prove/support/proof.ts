import type { Check } from './check.js';
import type { Instance } from './instance.js';
import type { Plan } from './operation.js';
import type { Tenant } from './tenant.js';

/** What every section may do to its target: nothing that changes anything or costs much. */
export interface ReadOnlyProof {
  readonly url: string;
  /** A credential that may read. */
  readonly key: string;
  /** For CI: fewer rounds, and no times that a loaded machine misses. */
  readonly short: boolean;
}

/** A fresh instance that belongs to the program, with an organisation of each plan. */
export interface LocalProof extends ReadOnlyProof {
  readonly instance: Instance;
  readonly tenants: Readonly<Record<Plan, Tenant>>;
  /** The built server, for sections that start one of their own. */
  readonly program: string;
  /** `127.0.0.1:port` at which the instance may send webhooks. */
  readonly receiver: string;
}

/** One section of the proof. `target`: also against a deployment; `deployment`: only there. */
export type Section =
  | {
      readonly name: string;
      readonly needs: 'target' | 'deployment';
      readonly run: (proof: ReadOnlyProof) => Promise<Check[]>;
    }
  | {
      readonly name: string;
      readonly needs: 'instance';
      /** Not in the short form: the tests of the project do the same. */
      readonly isLong?: boolean;
      readonly run: (proof: LocalProof) => Promise<Check[]>;
    };
