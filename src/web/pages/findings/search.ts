import * as z from 'zod/mini';
import { findingSeverities } from '../../../shared/vulnerability-terms.js';
import { groupSearch } from '../../components/groups/search.js';

/** The filters of a list of findings, as they stand in the URL. A bad one is as if it were not there. */
export const codeSearch = z.object({
  /** Undefined: open. */
  state: z.catch(z.optional(z.enum(['fixed', 'all'])), undefined),
  severity: z.catch(z.optional(z.enum(findingSeverities)), undefined),
  /** Repository, site or image. */
  source: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(2048))), undefined),
  ...groupSearch,
});

export const runningAppSearch = z.extend(codeSearch, {
  /** Undefined: the findings. */
  view: z.catch(z.optional(z.enum(['targets'])), undefined),
});

export const imagesSearch = z.extend(codeSearch, {
  /** Undefined: the images. */
  view: z.catch(z.optional(z.enum(['findings'])), undefined),
});

export type FindingSearch = z.output<typeof codeSearch>;
