import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';

/** What `POST /api/operator/password-resets` answers. */
export const passwordReset = z.object({ email: z.string(), token: z.string(), expires_at: timestamp });

/** What `POST /api/operator/domains` answers; `taken_from` is the organisation that has lost it. */
export const ownedDomain = z.object({
  organisation_id: z.string(),
  domain: z.string(),
  taken_from: z.string().nullable(),
});

/** What `POST /api/operator/addresses` answers. */
export const ownedAddress = z.object({ organisation_id: z.string(), email: z.string(), member_id: z.string() });
