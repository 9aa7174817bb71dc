/**
 * Who may call an operation, after the specification, section 5, and docs/security.md. A person's role counts where it is held.
 * - `reader`: any credential of the organisation (rule 4).
 * - `decider`: a ReadWrite key, or a triager; a ReadOnly key is forbidden (rules 4 and 5).
 * - `writer`: a ReadWrite key, or a member.
 * - `remover`: a ReadWrite key, or an admin.
 * - `person`: anybody's session; any key is forbidden.
 * - `judge`: a triager's session; for any key the answer is 401 (rule 8).
 * - `admin`: an admin's session (rule 3); everybody else is forbidden.
 */
export type Who = 'reader' | 'decider' | 'writer' | 'remover' | 'person' | 'judge' | 'admin';

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
  readonly issuer: string;
  /** A name. */
  readonly domain: string;
  readonly identity: string;
  /** The project is in it. */
  readonly group: string;
  readonly groupWebhook: string;
}

/** One id of each kind. */
export function idsOf(idOf: (kind: keyof Ids) => string): Ids {
  return {
    ...{ project: idOf('project'), alert: idOf('alert'), verdict: idOf('verdict'), proposal: idOf('proposal') },
    ...{ item: idOf('item'), image: idOf('image'), target: idOf('target'), scanJob: idOf('scanJob') },
    ...{ webhook: idOf('webhook'), member: idOf('member'), invite: idOf('invite'), apiKey: idOf('apiKey') },
    ...{ session: idOf('session'), upload: idOf('upload'), group: idOf('group'), groupWebhook: idOf('groupWebhook') },
    ...{ issuer: idOf('issuer'), identity: idOf('identity') },
    domain: `${idOf('domain').replaceAll('_', '-')}.example.com`,
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
  /** The same for an input without `project_id`: over all projects, or of a group. */
  readonly everywhere?: string;
  /** That input, where it is about a group. */
  readonly ofGroup?: (ids: Ids, mark: string) => Readonly<Record<string, unknown>>;
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
  /** About the whole organisation: forbidden for whoever sees some projects alone (docs/decisions, record 4). */
  readonly isOfAll?: true;
  /** Which sessions of the caller it ends. */
  readonly endsSessions?: 'own' | 'others';
  /** It changes something although it names no id of a thing: not for an instance that others use. */
  readonly changesAnyway?: true;
}

/** Roles of people, from the one that may least. */
export const ranks = ['none', 'viewer', 'triager', 'member', 'admin'] as const;
export type Rank = (typeof ranks)[number];

const leastRank: Readonly<Record<Who, Rank>> = {
  ...{ reader: 'none', person: 'none', decider: 'triager', judge: 'triager', writer: 'member' },
  ...{ remover: 'admin', admin: 'admin' },
};

/** Whether a person with this role may call an operation, where the role is held. */
export function mayAs(rank: Rank, { who, isOfAll }: Operation): boolean {
  const least = isOfAll === true && who === 'reader' ? 'viewer' : leastRank[who];
  return ranks.indexOf(rank) >= ranks.indexOf(least);
}

/** Whether it names its project in the path, so that a role in a group of projects counts. */
export function isInProject({ http }: Operation): boolean {
  return http?.includes('{project_id}') === true;
}
