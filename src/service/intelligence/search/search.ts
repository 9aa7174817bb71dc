import type * as z from 'zod';
import type { search } from '../../../procedures/search.js';
import type { Scope } from '../../db/scope.js';

type Answer = z.output<typeof search.output>;

/** What was found of one kind. */
export type Found<Kind extends keyof Answer> = Omit<Answer[Kind], 'has_more'>;

/** What is looked for, and where. */
export interface Search extends Scope {
  /** In lower case. */
  readonly needle: string;
}
