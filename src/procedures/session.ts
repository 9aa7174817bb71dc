import * as z from 'zod';
import { apiKeyScope } from './api-keys.js';
import { defineProcedure, definePublicProcedure, defineQuery, shownOnce } from './define.js';
import { member, newPassword, plan, sessionRecord } from './organisation.js';
import { callback, flow } from './sign-in.js';
import { deleted, id, pageInput, pageOf, timestamp } from './wire.js';

const begun = z.object({ token: shownOnce(z.string()), expires_at: timestamp });

const named = z.object({ id, name: z.string() });

/** A page that a browser goes to. */
const webPage = z.string().regex(/^https?:\/\//);

export const session = {
  create: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session',
    answersSecret: true,
    title: 'Sign in',
    description:
      'Exchanges email and password for a short-lived member token (JWT). Where the password is that of accounts in several organisations, a 409 names them: name one.',
    input: z.strictObject({ email: z.string().max(254), password: z.string().max(256), organisation: id.optional() }),
    output: begun,
  }),
  signInOptions: definePublicProcedure({
    access: 'write',
    idempotent: true,
    http: 'POST /api/session/options',
    title: 'How somebody may sign in',
    description:
      'The issuers of this server, and those of the organisation to which the address’s domain or the invite belongs. Says nothing about accounts.',
    input: z.strictObject({
      email: z.string().max(254).describe('its domain decides; empty: not known yet'),
      invite_token: z.string().max(200).optional(),
    }),
    output: z.object({
      password: z.boolean().describe('false: there, only the break-glass admin signs in by password'),
      issuers: z.array(named).describe('named by host'),
    }),
  }),
  beginSignIn: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session/sign-in',
    title: 'Begin to sign in by an issuer',
    description:
      'Answers the issuer’s page (OpenID Connect: code flow with PKCE), to which the browser goes, and what finishSignIn needs within ten minutes: keep it by the state of the address.',
    input: z.strictObject({
      issuer: id.describe('of signInOptions'),
      invite_token: z.string().max(200).optional().describe('to become a member by'),
    }),
    output: z.object({ url: webPage, state: z.string(), flow: z.string() }),
  }),
  finishSignIn: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session/sign-in/finish',
    title: 'Sign in by an issuer',
    description:
      'With what the issuer has sent the browser back with. A person with accounts in several organisations gets no session yet, but a choice: chooseOrganisation takes it within five minutes.',
    input: z.strictObject({ flow, callback }),
    output: z.object({
      session: begun.nullable(),
      choice: z.object({ organisations: z.array(named), proof: z.string() }).nullable(),
    }),
  }),
  chooseOrganisation: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session/sign-in/organisation',
    answersSecret: true,
    title: 'Sign in to one of several organisations',
    description: 'With the choice of finishSignIn.',
    input: z.strictObject({ proof: z.string().max(20_000), organisation: id }),
    output: begun,
  }),
  get: defineQuery({
    http: 'GET /api/session',
    title: 'Who is calling',
    description: 'The caller behind the credential.',
    input: z.strictObject({
      procedure: z
        .string()
        .max(100)
        .optional()
        .describe('as projects.create: then refused as that one would refuse the caller'),
    }),
    output: z.object({
      organisation: z.object({ id, name: z.string(), plan }),
      sends_mail: z.boolean().describe('links go to their address; else their tokens are answered'),
      caller: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('member'),
          member,
          access: z.enum(['read', 'write']).describe('what the token may be used for, whatever the role'),
          issuer: z.string().nullable().describe('who has said who this is; null: signed in by password'),
          expires_at: timestamp,
        }),
        z.object({
          kind: z.literal('api_key'),
          id,
          name: z.string(),
          scope: apiKeyScope,
          expires_at: timestamp.nullable(),
          project_ids: z.array(id).nullable(),
        }),
      ]),
    }),
  }),
  renew: defineProcedure({
    access: 'write',
    http: 'POST /api/session/renewal',
    answersSecret: true,
    title: 'Stay signed in',
    description:
      'A new token for the same session, good for 12 more hours, until 7 days after signing in. The old token stays good until its own expiry. Members only.',
    input: z.strictObject({}),
    output: begun,
  }),
  listOrganisations: defineQuery({
    http: 'GET /api/session/organisations',
    transactions: 'own',
    title: 'List my organisations',
    description:
      'Where the caller may switch to: what else is this person’s by the same sign-in at the server’s issuer. The present organisation alone for a session that began otherwise. Members only.',
    input: z.strictObject({}),
    output: z.object({ items: z.array(named) }),
  }),
  switchOrganisation: defineProcedure({
    access: 'write',
    http: 'POST /api/session/switch',
    answersSecret: true,
    transactions: 'own',
    title: 'Switch to another of my organisations',
    description:
      'A new session there; the one that asks ends. Only for sessions that began at the server’s issuer. Members only.',
    input: z.strictObject({ organisation: id }),
    output: begun,
  }),
  end: defineProcedure({
    access: 'write',
    http: 'DELETE /api/session',
    transactions: 'own',
    title: 'Sign out',
    description:
      'Ends the session: its token answers 401 from now on. Where it began at an issuer, the answer has the page that ends the sign-in there too. Members only.',
    input: z.strictObject({}),
    output: z.object({ ended: z.literal(true), logout_url: webPage.nullable() }),
  }),
  list: defineQuery({
    http: 'GET /api/sessions',
    title: 'List my sessions',
    description: 'The caller’s own, newest first. Members only.',
    input: pageInput({}),
    output: pageOf(sessionRecord),
  }),
  endOne: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/sessions/{session_id}',
    title: 'End one of my sessions',
    description: 'Its token answers 401 from now on. Members only.',
    input: z.strictObject({ session_id: id }),
    output: deleted,
  }),
  endOthers: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/sessions',
    title: 'End my other sessions',
    description: 'All of the caller’s own but the one that asks. Members only.',
    input: z.strictObject({}),
    output: z.object({ ended: z.int() }),
  }),
  changePassword: defineProcedure({
    access: 'write',
    http: 'PUT /api/session/password',
    transactions: 'own',
    title: 'Change my password',
    description: 'Needs the current one, and ends the caller’s other sessions. Members only.',
    input: z.strictObject({ current_password: z.string().max(256), new_password: newPassword }),
    output: z.object({ changed: z.literal(true), ended_sessions: z.int() }),
  }),
  resetPassword: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session/password-reset',
    title: 'Set a new password by a token',
    description: 'With the token that an admin or the operator has issued. Ends all sessions of the member.',
    input: z.strictObject({ token: z.string().max(200), password: newPassword }),
    output: z.object({ reset: z.literal(true) }),
  }),
  proveAddress: defineProcedure({
    access: 'write',
    http: 'POST /api/session/address-proof',
    title: 'Show that my address is mine',
    description: 'Mails a link to the caller’s own address, where the server sends mail. Good for a day. Members only.',
    input: z.strictObject({}),
    output: z.object({ mailed_to: z.string() }),
  }),
  confirmAddress: defineProcedure({
    access: 'write',
    http: 'PUT /api/session/address-proof',
    title: 'Confirm my address',
    description:
      'With the token of that link, by the member to whom it was sent: who reads the mail and who is signed in are one person. Members only.',
    input: z.strictObject({ token: z.string().max(200) }),
    output: member,
  }),
};
