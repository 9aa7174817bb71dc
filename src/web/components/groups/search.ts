import * as z from 'zod/mini';

/** The filter as it stands in the address: an id, which stays when a group is renamed. */
export const groupSearch = {
  group: z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))), undefined),
};
