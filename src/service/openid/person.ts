import * as z from 'zod';
import { givenName } from '../../procedures/wire.js';
import type { Client } from './clients.js';

/** A person at an issuer, as a sign-in that was just made has shown. */
export const person = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** That the issuer has verified, in lower case; null: none. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** The groups that claims name. */
  groups: z.record(z.string(), z.array(z.string())),
  /** Id of the client, and whose it is; null: the server's own. */
  client: z.object({ id: z.string(), organisationId: z.string().nullable() }),
});
export type Person = z.output<typeof person>;

/** An address that the issuer has not verified may be somebody else's: it does not count. */
const verifiedAddress = z
  .object({ email: z.email().max(254).toLowerCase(), email_verified: z.literal(true) })
  .transform(({ email }) => email);

const names = z.object({ name: givenName(200).optional().catch(undefined) });

type Claims = Readonly<Record<string, unknown>>;

/**
 * What the ID token and, for what it lacks, the answer of the userinfo endpoint say of a person. An address and whether it is verified
 * are read from one of them.
 */
export function personOf(client: Client, { sub, ...idToken }: Claims & { readonly sub: string }, more: Claims): Person {
  const claims = { ...more, ...idToken };
  const address = 'email' in idToken ? idToken : more;
  const email = verifiedAddress.safeParse(address).data ?? null;
  const { id, organisationId } = client;
  return {
    ...{ issuer: client.issuer, subject: sub, email },
    name: names.safeParse(claims).data?.name ?? null,
    groups: Object.fromEntries(Object.entries(claims).map(([claim, value]) => [claim, groupsIn(value)])),
    client: { id, organisationId },
  };
}

/** The groups in a claim: a list, or one alone. */
function groupsIn(claim: unknown): string[] {
  const listed = Array.isArray(claim) ? claim : [claim];
  return listed.filter((each) => typeof each === 'string');
}

/** The groups that a claim names. */
export function groupsOf({ groups }: Person, claim: string): readonly string[] {
  return Object.hasOwn(groups, claim) ? (groups[claim] ?? []) : [];
}
