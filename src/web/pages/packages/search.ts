import * as z from 'zod/mini';
import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { scopes } from '../../../shared/vulnerability-terms.js';

/** The filters of the list, as they stand in the URL. A bad one is as if it were not there. */
export const packageSearch = z.object({
  view: z.catch(z.optional(z.enum(['at-risk', 'reported', 'export'])), undefined),
  q: z.catch(z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))), undefined),
  ecosystem: z.catch(z.optional(z.enum(ecosystems)), undefined),
  scope: z.catch(z.optional(z.enum(scopes)), undefined),
  direct: z.catch(z.optional(z.boolean()), undefined),
  at_risk: z.catch(z.optional(z.boolean()), undefined),
});
export type PackageSearch = z.output<typeof packageSearch>;
