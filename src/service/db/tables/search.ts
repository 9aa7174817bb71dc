import * as z from 'zod';
import type { Kept } from './columns.js';

export const nameKind = z.enum(['package', 'rule', 'vulnerability']);

/** Names of what an organisation has or had, each once, to be searched. Kept by the database. */
export interface SearchedNamesTable {
  organisation_id: Kept<string>;
  kind: z.infer<typeof nameKind>;
  /** The package's ecosystem, the rule's domain, the alert's vulnerability. */
  part: string;
  /** The package's name as its registry compares it, the rule's id, a name of the vulnerability. */
  name: string;
  /** What is searched, in lower case: the name, and the rule's title after it. */
  sought: string;
}
