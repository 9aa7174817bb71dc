import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';

/** What `POST /api/operator/password-resets` answers. */
export const passwordReset = z.object({ email: z.string(), token: z.string(), expires_at: timestamp });
