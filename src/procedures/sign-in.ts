import * as z from 'zod';
import { isSecureUrl } from '../shared/http/secure-url.js';
import { defineProcedure, defineQuery } from './define.js';
import { role } from './organisation.js';
import { deleted, expectedRevision, id, line, timestamp } from './wire.js';

/** As it stands in the tokens' `iss`. */
const issuerUrl = z
  .string()
  .max(300)
  .refine(isSecureUrl, {
    error: 'takes an https address such as https://login.example.com, as it stands in the tokens',
  })
  .meta({ format: 'uri' });

/** What the service needs again to finish a sign-in; nobody else can read it. */
export const flow = z.string().max(8_000);

/** The query of the address that an issuer has sent the browser back to. */
export const callback = z.string().max(8_000);

/** Nobody becomes an admin by an address alone. */
export const givenRole = role.exclude(['admin']);

/** What an organisation decides about the people of an issuer. */
const policy = {
  default_role: givenRole.describe('of who becomes a member by signing in, where no group says otherwise'),
  joins: z.boolean().describe('who has a verified address of a proven domain becomes a member by signing in'),
  groups_claim: line(200).nullable().describe('the claim that names a person’s groups'),
  group_roles: z
    .array(z.strictObject({ group: line(200), role }))
    .max(100)
    .describe('a group’s role, taken at each sign-in; of several the one that may most'),
};

const issuer = z.object({
  id,
  issuer: z.string(),
  client_id: z.string().nullable().describe('null: the client of this server'),
  default_role: policy.default_role,
  joins: policy.joins,
  groups_claim: z.string().nullable(),
  group_roles: z.array(z.object({ group: z.string(), role })),
  created_at: timestamp,
  revision: z.int(),
});

const client = {
  client_id: line(300).describe('of the client that is registered for this server’s /sign-in/callback'),
  client_secret: z.string().min(1).max(1_000),
};

/** A DNS name of two labels at least, in lower case; what is not ASCII as punycode. */
export const domain = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'is a domain such as example.com',
  });

/** Who has shown that a domain is an organisation's. */
export const domainProof = z.enum(['dns', 'operator']);

const emailDomain = z.object({
  domain: z.string(),
  proven_by: domainProof.nullable().describe('null: nobody has shown that it is the organisation’s'),
  txt_record: z.object({ name: z.string(), value: z.string() }).describe('what shows that, in the domain’s DNS'),
  created_at: timestamp,
});

const identity = z.object({
  id,
  issuer: z.string(),
  subject: z.string(),
  created_at: timestamp,
});

const passwordPolicy = z.object({
  password_sign_in: z.boolean().describe('whether members sign in by password'),
  break_glass: z.object({ id, name: z.string() }).nullable().describe('the admin who may do so all the same'),
});

/** How the people of an organisation sign in, and what shows who they are. */
export const signIn = {
  listIssuers: defineQuery({
    http: 'GET /api/org/issuers',
    title: 'List the issuers whose people sign in',
    description: 'Admins only.',
    input: z.strictObject({}),
    output: z.object({
      items: z.array(issuer),
      own: z.array(z.string()).describe('issuers at which this server has a client of its own'),
    }),
  }),
  addIssuer: defineProcedure({
    access: 'write',
    http: 'POST /api/org/issuers',
    title: 'Take the people of an issuer',
    description:
      'Without a client: the issuer of this server. A sign-in by it then proves an address of a member to this organisation, and to no other. Admins only.',
    input: z.strictObject({
      issuer: issuerUrl,
      client_id: client.client_id.optional(),
      client_secret: client.client_secret.optional(),
      default_role: policy.default_role.default('viewer'),
      joins: policy.joins.default(false),
      groups_claim: policy.groups_claim.default(null),
      group_roles: policy.group_roles.default([]),
    }),
    output: issuer,
  }),
  updateIssuer: defineProcedure({
    access: 'write',
    http: 'PATCH /api/org/issuers/{issuer_id}',
    title: 'Change what an issuer’s people get',
    description: 'Admins only.',
    input: z.strictObject({
      issuer_id: id,
      client_id: client.client_id.optional(),
      client_secret: client.client_secret.optional(),
      default_role: policy.default_role.optional(),
      joins: policy.joins.optional(),
      groups_claim: policy.groups_claim.optional(),
      group_roles: policy.group_roles.optional(),
      expected_revision: expectedRevision,
    }),
    output: issuer,
  }),
  removeIssuer: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/issuers/{issuer_id}',
    title: 'Take the people of an issuer no more',
    description: 'Ends what its sign-ins have begun: sessions, and what its tokens may do here. Admins only.',
    input: z.strictObject({ issuer_id: id }),
    output: deleted,
  }),
  listDomains: defineQuery({
    http: 'GET /api/org/domains',
    title: 'List the organisation’s e-mail domains',
    description: 'Admins only.',
    input: z.strictObject({}),
    output: z.object({ items: z.array(emailDomain) }),
  }),
  addDomain: defineProcedure({
    access: 'write',
    http: 'POST /api/org/domains',
    title: 'Name an e-mail domain of the organisation',
    description: 'Counts once a TXT record shows it (checkDomain), or the operator says so. Admins only.',
    input: z.strictObject({ domain }),
    output: emailDomain,
  }),
  checkDomain: defineProcedure({
    access: 'write',
    http: 'POST /api/org/domains/{domain}/check',
    transactions: 'own',
    title: 'Look for a domain’s TXT record',
    description: 'Admins only.',
    input: z.strictObject({ domain }),
    output: emailDomain,
  }),
  removeDomain: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/domains/{domain}',
    title: 'Name an e-mail domain no more',
    description: 'Admins only.',
    input: z.strictObject({ domain }),
    output: z.object({ domain: z.string(), deleted: z.literal(true) }),
  }),
  getPasswordPolicy: defineQuery({
    http: 'GET /api/org/password-policy',
    title: 'Whether members sign in by password',
    description: 'Admins only.',
    input: z.strictObject({}),
    output: passwordPolicy,
  }),
  setPasswordPolicy: defineProcedure({
    access: 'write',
    idempotent: true,
    http: 'PUT /api/org/password-policy',
    title: 'Turn passwords on or off',
    description:
      'Off: members sign in by an issuer alone, and sessions by password end, but the caller’s own. One admin with a password may go on using it, for when the issuer is away. Admins only.',
    input: z.strictObject({
      password_sign_in: z.boolean(),
      break_glass_member_id: id.optional().describe('an active admin with a password; needed for off'),
    }),
    output: passwordPolicy,
  }),
  listIdentities: defineQuery({
    http: 'GET /api/session/identities',
    title: 'List what signs me in',
    description: 'The issuers by which the caller may sign in to this account. Members only.',
    input: z.strictObject({}),
    output: z.object({ items: z.array(identity) }),
  }),
  link: defineProcedure({
    access: 'write',
    http: 'POST /api/session/identities',
    transactions: 'own',
    title: 'Link a sign-in by an issuer',
    description:
      'With an access token of the server’s issuer: from now on its person is this member. The organisation must take the issuer. Members only.',
    input: z.strictObject({ token: z.string().max(10_000) }),
    output: identity,
  }),
  finishLink: defineProcedure({
    access: 'write',
    http: 'POST /api/session/identities/finish',
    transactions: 'own',
    title: 'Link a sign-in that was just made at an issuer',
    description:
      'As session.finishSignIn, for a sign-in that was begun to be linked: from now on it is this member’s. Members only.',
    input: z.strictObject({ flow, callback }),
    output: identity,
  }),
  unlink: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/session/identities/{identity_id}',
    title: 'Undo the link of a sign-in',
    description: 'Ends the sessions that began by it. Members only.',
    input: z.strictObject({ identity_id: id }),
    output: deleted,
  }),
};
