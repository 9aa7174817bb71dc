import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { forgedSessions } from './forged-sessions.js';
import type { Instance } from './instance.js';
import type { Plan, Rank } from './operation.js';
import { expectAnswer } from './rest.js';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly session: string;
}

const otherRoles = ['triager', 'viewer', 'group member', 'group triager', 'group viewer'] as const;
type OtherRole = (typeof otherRoles)[number];

/** Roles of people. */
export const personRoles = ['admin', 'member', ...otherRoles] as const;
export type PersonRole = (typeof personRoles)[number];

/** What people may in the organisation, and in the project of their group. */
export const ranksOf: Readonly<Record<PersonRole, { readonly everywhere: Rank; readonly inProject: Rank }>> = {
  admin: { everywhere: 'admin', inProject: 'admin' },
  member: { everywhere: 'member', inProject: 'member' },
  triager: { everywhere: 'triager', inProject: 'triager' },
  viewer: { everywhere: 'viewer', inProject: 'viewer' },
  'group member': { everywhere: 'none', inProject: 'member' },
  'group triager': { everywhere: 'none', inProject: 'triager' },
  'group viewer': { everywhere: 'none', inProject: 'viewer' },
};

/** An organisation with a credential of each kind. `mark` is in its names and in those of nobody else. */
export interface Tenant {
  readonly mark: string;
  readonly name: string;
  readonly plan: Plan;
  readonly id: string;
  readonly admin: Person;
  readonly member: Person;
  readonly readKey: string;
  readonly readKeyId: string;
  readonly writeKey: string;
  /** A ReadWrite key of this one project alone, which is alone in its group. */
  readonly bound: { readonly key: string; readonly project: string };
  /** Members with less than a member's role; those of a group have a role in the group of the bound project alone. */
  readonly people: Readonly<Record<OtherRole, Person>>;
  /** Credentials that were good or look good, and are not, by what is wrong with them. */
  readonly bad: Readonly<Record<string, string>>;
}

/** Long enough that a key is made before it ends, also on a slow machine. */
const keyLifeMs = 5_000;

type Server = Pick<Instance, 'url' | 'operatorKey' | 'jwtSecret'>;

const created = z.object({ organisation: z.object({ id: z.string() }) });
const signedIn = z.object({ token: z.string() });
const newKey = z.object({ key: z.string(), api_key: z.object({ id: z.string() }) });
const invited = z.object({ token: z.string() });
const withId = z.object({ id: z.string() });
const whoAmI = z.object({ caller: z.object({ member: withId }) });

export async function createTenant(server: Server, plan: Plan): Promise<Tenant> {
  const { url } = server;
  const mark = randomBytes(5).toString('hex');
  const name = `Tenant ${mark}`;
  const password = randomBytes(12).toString('hex');
  const emailOf = (role: PersonRole) => `${role.replace(' ', '-')}-${mark}@prove.invalid`;
  const { organisation } = await expectAnswer(
    url,
    {
      path: '/api/operator/organisations',
      credential: server.operatorKey,
      body: { name, plan, admin: { email: emailOf('admin'), name: `Admin ${mark}`, password } },
    },
    created,
  );
  const admin = await signIn(url, emailOf('admin'), password);
  const ask = <Schema extends z.ZodType>(schema: Schema, path: string, body: unknown) =>
    expectAnswer(url, { path, credential: admin.session, body }, schema);
  const join = async (role: PersonRole, given: object) => {
    const { token } = await ask(invited, '/api/org/invites', { email: emailOf(role), ...given });
    const accepting = { token, name: `${role} ${mark}`, password };
    await expectAnswer(url, { path: '/api/invites/accept', credential: null, body: accepting }, withId);
    return signIn(url, emailOf(role), password);
  };
  const member = await join('member', {});
  const key = (scope: string, more: object = {}) =>
    expectAnswer(
      url,
      { path: '/api/org/api-keys', credential: admin.session, body: { name: `${scope} ${mark}`, scope, ...more } },
      newKey,
    );
  const [read, write, revoked] = [await key('ReadOnly'), await key('ReadWrite'), await key('ReadWrite')];
  const group = (await ask(withId, '/api/groups', { name: `Bound ${mark}` })).id;
  const project = (await ask(withId, '/api/projects', { name: `Bound ${mark}`, group })).id;
  const ofGroup = (role: string) => ({ role: 'none', groups: [{ group, role }] });
  const people = {
    triager: await join('triager', { role: 'triager' }),
    viewer: await join('viewer', { role: 'viewer' }),
    'group member': await join('group member', ofGroup('member')),
    'group triager': await join('group triager', ofGroup('triager')),
    'group viewer': await join('group viewer', ofGroup('viewer')),
  };
  const bound = await key('ReadWrite', { project_ids: [project] });
  const end = Date.now() + keyLifeMs;
  const expired = await key('ReadWrite', { expires_at: new Date(end).toISOString() });
  const revocation = { method: 'DELETE', path: `/api/org/api-keys/${revoked.api_key.id}`, credential: admin.session };
  await expectAnswer(url, revocation, withId);
  const ended = await newSession(url, emailOf('member'), password);
  await expectAnswer(url, { method: 'DELETE', path: '/api/session', credential: ended }, z.object({}));
  await sleep(Math.max(0, end - Date.now()));
  return {
    ...{ mark, name, plan, id: organisation.id, admin, member },
    bound: { key: bound.key, project },
    people,
    ...{ readKey: read.key, readKeyId: read.api_key.id, writeKey: write.key },
    bad: {
      garbage: 'no-credential-of-any-kind',
      'mistyped key': `${write.key.slice(0, -1)}${write.key.endsWith('0') ? '1' : '0'}`,
      'upper case key': write.key.toUpperCase(),
      'revoked key': revoked.key,
      'expired key': expired.key,
      'ended session': ended,
      'operator key': server.operatorKey,
      ...forgedSessions(member.session, server.jwtSecret),
    },
  };
}

async function signIn(url: string, email: string, password: string): Promise<Person> {
  const session = await newSession(url, email, password);
  const { caller } = await expectAnswer(url, { path: '/api/session', credential: session }, whoAmI);
  return { id: caller.member.id, email, password, session };
}

/** A further session of a member. */
export async function newSession(url: string, email: string, password: string): Promise<string> {
  const body = { email, password };
  return (await expectAnswer(url, { path: '/api/session', credential: null, body }, signedIn)).token;
}
