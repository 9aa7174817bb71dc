/**
 * Who may call an operation, after the specification, section 5:
 * - `reader`: any credential of the organisation (rule 4).
 * - `writer`: a ReadWrite key or a member; a ReadOnly key is forbidden (rules 4 and 5).
 * - `person`: a member's session; any key is forbidden.
 * - `judge`: a member's session; for any key the answer is 401 (rule 8).
 * - `admin`: an admin's session (rule 3); everybody else is forbidden.
 */
type Who = 'reader' | 'writer' | 'person' | 'judge' | 'admin';

export type Plan = 'Free' | 'Business' | 'Enterprise';

/** The ids of one organisation's things, by kind. */
export interface Ids {
  readonly project: string;
  readonly alert: string;
  readonly verdict: string;
  readonly proposal: string;
  readonly item: string;
  readonly image: string;
  readonly target: string;
  readonly scanJob: string;
  readonly webhook: string;
  readonly member: string;
  readonly invite: string;
  readonly apiKey: string;
  readonly session: string;
  readonly upload: string;
}

/** One id of each kind. */
export function idsOf(idOf: (kind: keyof Ids) => string): Ids {
  return {
    ...{ project: idOf('project'), alert: idOf('alert'), verdict: idOf('verdict'), proposal: idOf('proposal') },
    ...{ item: idOf('item'), image: idOf('image'), target: idOf('target'), scanJob: idOf('scanJob') },
    ...{ webhook: idOf('webhook'), member: idOf('member'), invite: idOf('invite'), apiKey: idOf('apiKey') },
    ...{ session: idOf('session'), upload: idOf('upload') },
  };
}

/** One procedure as the specification and its design describe it: written by hand, not taken from the code under trial. */
export interface Operation {
  /** tRPC path. */
  readonly path: string;
  readonly tool?: string;
  /** Absent of what has no REST route. */
  readonly http?: string;
  readonly who: Who;
  /** The same over all projects: for an input without `project_id`. */
  readonly everywhere?: string;
  /** The smallest plan that has it (specification, section 5, rules 7 and 10). */
  readonly plan?: Exclude<Plan, 'Free'>;
  /** The input key whose value is the whole body over REST. */
  readonly bodyKey?: string;
  /** A good input. `mark` makes names that are new. */
  readonly input: (ids: Ids, mark: string) => Readonly<Record<string, unknown>>;
  /** It answers a file of lines, which tRPC's door has as a document. */
  readonly isFile?: true;
  /** An id of another organisation is a filter here: the answer is then empty, not 404. */
  readonly filtersById?: true;
  /** About the whole organisation: a key that is bound to projects is forbidden (docs/decisions, record 33). */
  readonly isOfAll?: true;
  /** Which sessions of the caller it ends. */
  readonly endsSessions?: 'own' | 'others';
  /** It changes something although it names no id of a thing: not for an instance that others use. */
  readonly changesAnyway?: true;
}
