import type { RouterInputs, RouterOutputs } from '../../../client/index.js';

export type Issuer = RouterOutputs['signIn']['listIssuers']['items'][number];

type GivenRole = NonNullable<RouterInputs['signIn']['addIssuer']['default_role']>;
type GroupRole = NonNullable<RouterInputs['signIn']['addIssuer']['group_roles']>[number];

/** What somebody may become by signing in alone. */
export const givenRoles = ['viewer', 'triager', 'member', 'none'] as const satisfies readonly GivenRole[];

export const roles = ['admin', ...givenRoles] as const satisfies readonly GroupRole['role'][];

export function roleOf(text: string): GivenRole {
  return givenRoles.find((role) => role === text) ?? 'viewer';
}

/** Lines `group = role`; `wrong` is the first that is none. */
export function groupRolesOf(text: string): { readonly roles: GroupRole[]; readonly wrong: string | null } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => {
    const [, group = '', named = ''] = /^(.*)=([^=]*)$/.exec(line) ?? [];
    const role = roles.find((each) => each === named.trim().toLowerCase());
    return role === undefined || group.trim() === '' ? null : { group: group.trim(), role };
  });
  return { roles: read.filter((each) => each !== null), wrong: lines[read.indexOf(null)] ?? null };
}

export function groupText(groupRoles: readonly GroupRole[]): string {
  return groupRoles.map(({ group, role }) => `${group} = ${role}`).join('\n');
}
