import type * as z from 'zod';
import type { apiKeyScope } from '../../procedures/api-keys.js';
import type { plan, role } from '../../procedures/organisation.js';
import type { Tenant } from '../db/database.js';

export type Plan = z.infer<typeof plan>;
export type Role = z.infer<typeof role>;
type ApiKeyScope = z.infer<typeof apiKeyScope>;

/** Who makes a request, as the credential proved. */
export type Caller =
  | {
      readonly kind: 'member';
      readonly organisationId: string;
      readonly plan: Plan;
      readonly id: string;
      readonly name: string;
      readonly role: Role;
      readonly sessionId: string;
      readonly expiresAt: Date;
    }
  | {
      readonly kind: 'api_key';
      readonly organisationId: string;
      readonly plan: Plan;
      readonly id: string;
      readonly name: string;
      readonly scope: ApiKeyScope;
      /** Null: it does not expire. */
      readonly expiresAt: Date | null;
      /** The projects that the key is bound to; null: all, and what belongs to none. */
      readonly projectIds: readonly string[] | null;
    };

/** Whose rows the caller's transactions see. */
export function tenantOf(caller: Caller): Tenant {
  return { organisationId: caller.organisationId, projectIds: caller.kind === 'api_key' ? caller.projectIds : null };
}
