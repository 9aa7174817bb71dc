import type { Role } from '../auth/caller.js';
import { groupsOf, type Person } from './person.js';

/** What an organisation gives to people of an issuer. */
export interface RolePolicy {
  readonly default_role: Role;
  readonly groups_claim: string | null;
  readonly group_roles: readonly { readonly group: string; readonly role: Role }[];
}

/** From the one that may most to the one that may least. */
const order: readonly Role[] = ['admin', 'member', 'triager', 'viewer', 'none'];

/**
 * The role that a person's groups give: of several the one that may most, without one the default. A claim that is absent names no group:
 * some issuers leave it out for whom they have removed from the last one. Null where groups give no roles.
 */
export function roleByGroups(policy: RolePolicy, person: Person): Role | null {
  const { default_role, groups_claim, group_roles } = policy;
  if (groups_claim === null || group_roles.length === 0) return null;
  const groups = groupsOf(person, groups_claim);
  const given = group_roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return order.find((role) => given.includes(role)) ?? default_role;
}

/** The person with no more groups than policies name: so many as one organisation may list, however many there are. */
export function withNamedGroups(person: Person, policies: readonly RolePolicy[]): Person {
  const named = policies.flatMap(({ groups_claim, group_roles }): [string, string[]][] => {
    if (groups_claim === null) return [];
    const groups = groupsOf(person, groups_claim);
    return [[groups_claim, groups.filter((group) => group_roles.some((each) => each.group === group))]];
  });
  const claims = new Set(named.map(([claim]) => claim));
  const groups = [...claims].map((claim) => [
    claim,
    [...new Set(named.flatMap(([of, each]) => (of === claim ? each : [])))],
  ]);
  return { ...person, groups: Object.fromEntries(groups) };
}
