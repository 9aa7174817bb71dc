import type { Reason } from '../../procedures/problem.js';
import { accountsOf } from '../auth/accounts.js';
import type { Transaction } from '../db/database.js';
import type { Person } from './person.js';
import type { RolePolicy } from './roles.js';

/** An organisation that takes the issuer, by the client that a sign-in went through. */
export interface Binding extends RolePolicy {
  readonly organisation_id: string;
  readonly organisation_name: string;
  readonly id: string;
  readonly joins: boolean;
}

/** An organisation that a person may sign in to. */
export interface Candidate {
  readonly binding: Binding;
  /** Null: the person becomes a member. */
  readonly account: { readonly memberId: string; readonly identityId: string | null } | null;
}

/**
 * Where a person may sign in: the accounts that are the person's, and the organisation that takes everybody with an
 * address of its domain. Only organisations count that take the issuer by this very client. One with a client of its
 * own may have given it to some people alone; and what an issuer says to an organisation's client proves nothing to
 * others.
 */
export async function candidatesOf(tx: Transaction, person: Person): Promise<Candidate[]> {
  const accounts = await accountsOf(tx, person);
  const joining = await ownerOfDomain(tx, person);
  const organisations = accounts.map(({ organisationId }) => organisationId);
  const bindings = await bindingsOf(tx, person, joining === undefined ? organisations : [...organisations, joining]);
  const candidates = bindings.flatMap((binding): Candidate[] => {
    const account = accounts.find(({ organisationId }) => organisationId === binding.organisation_id);
    return account === undefined ? [] : [{ binding, account }];
  });
  const owner = bindings.find(({ organisation_id }) => organisation_id === joining && !organisations.includes(joining));
  const isNew = owner?.joins === true && !(await isKnownIn(tx, person, owner.organisation_id));
  return isNew ? [...candidates, { binding: owner, account: null }] : candidates;
}

/** The bindings of organisations by the client of a person's sign-in. */
export async function bindingsOf(
  tx: Transaction,
  { issuer, client }: Person,
  organisationIds: readonly string[],
): Promise<Binding[]> {
  if (organisationIds.length === 0) return [];
  const bindings = tx
    .selectFrom('issuers as b')
    .innerJoin('organisations as o', 'o.id', 'b.organisation_id')
    .where('b.issuer', '=', issuer)
    .where('b.organisation_id', 'in', organisationIds);
  return (
    client.organisationId === null
      ? bindings.where('b.client_id', 'is', null)
      : bindings.where('b.id', '=', client.id).where('b.organisation_id', '=', client.organisationId)
  )
    .select(['b.organisation_id', 'o.name as organisation_name', 'b.id', 'b.joins'])
    .select(['b.default_role', 'b.groups_claim', 'b.group_roles'])
    .orderBy('o.name')
    .orderBy('o.id')
    .execute();
}

/** The organisation that has shown that the domain of the person's address is its own. */
export async function ownerOfDomain(tx: Transaction, { email }: Pick<Person, 'email'>): Promise<string | undefined> {
  const domain = email?.split('@')[1];
  if (domain === undefined) return undefined;
  const owner = await tx
    .selectFrom('email_domains')
    .select('organisation_id')
    .where('domain', '=', domain)
    .where('proven_by', 'is not', null)
    .executeTakeFirst();
  return owner?.organisation_id;
}

/**
 * Whether an organisation has the address or the person already, also as one who was deactivated: that one does not
 * become a member anew.
 */
async function isKnownIn(
  tx: Transaction,
  { issuer, subject, email }: Person,
  organisationId: string,
): Promise<boolean> {
  const member = await tx
    .selectFrom('members as m')
    .leftJoin('identities as i', (join) =>
      join.onRef('i.organisation_id', '=', 'm.organisation_id').onRef('i.member_id', '=', 'm.id'),
    )
    .select('m.id')
    .where('m.organisation_id', '=', organisationId)
    .where((e) =>
      e.or([
        ...(email === null ? [] : [e('m.email', '=', email)]),
        e.and([e('i.issuer', '=', issuer), e('i.subject', '=', subject)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return member !== undefined;
}

/** Why a person may sign in nowhere. */
export async function refusalOf(tx: Transaction, person: Person): Promise<Reason> {
  const { issuer, email } = person;
  if (email === null) return 'address_unverified';
  const accounts = await tx
    .selectFrom('members as m')
    .leftJoin('identities as i', (join) =>
      join
        .onRef('i.organisation_id', '=', 'm.organisation_id')
        .onRef('i.member_id', '=', 'm.id')
        .on('i.issuer', '=', issuer),
    )
    .select(['m.organisation_id', 'i.id as identity_id'])
    .where('m.email', '=', email)
    .where('m.deactivated_at', 'is', null)
    .execute();
  const bindings = await bindingsOf(
    tx,
    person,
    accounts.map(({ organisation_id }) => organisation_id),
  );
  const bound = accounts.filter((each) => bindings.some((b) => b.organisation_id === each.organisation_id));
  const [account] = bound;
  if (account === undefined) return 'no_account';
  return bound.every(({ identity_id }) => identity_id !== null) ? 'account_of_another' : 'account_unconfirmed';
}
