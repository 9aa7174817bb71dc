import type { Operation } from '../support/operation.js';
import { none } from './inputs.js';

/** The issuers and e-mail domains of an organisation, and what signs a member in. */
export const signInOperations: readonly Operation[] = [
  { path: 'session.listOrganisations', http: 'GET /api/session/organisations', who: 'person', input: none },
  {
    // Nobody's sign-in at an issuer, so that a call which is admitted changes nothing.
    ...{ path: 'session.switchOrganisation', http: 'POST /api/session/switch', who: 'person' },
    input: (_, mark) => ({ organisation: `none_${mark}` }),
  },
  { path: 'signIn.listIssuers', http: 'GET /api/org/issuers', who: 'admin', input: none },
  {
    ...{ path: 'signIn.addIssuer', http: 'POST /api/org/issuers', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ issuer: `https://${mark}.example.com`, client_id: 'postern', client_secret: 'secret' }),
  },
  {
    ...{ path: 'signIn.updateIssuer', http: 'PATCH /api/org/issuers/{issuer_id}', who: 'admin' },
    input: ({ issuer }) => ({ issuer_id: issuer, joins: true }),
  },
  {
    ...{ path: 'signIn.removeIssuer', http: 'DELETE /api/org/issuers/{issuer_id}', who: 'admin' },
    input: ({ issuer }) => ({ issuer_id: issuer }),
  },
  { path: 'signIn.listDomains', http: 'GET /api/org/domains', who: 'admin', input: none },
  {
    ...{ path: 'signIn.addDomain', http: 'POST /api/org/domains', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ domain: `${mark}.example.com` }),
  },
  {
    ...{ path: 'signIn.checkDomain', http: 'POST /api/org/domains/{domain}/check', who: 'admin' },
    input: ({ domain }) => ({ domain }),
  },
  {
    ...{ path: 'signIn.removeDomain', http: 'DELETE /api/org/domains/{domain}', who: 'admin' },
    input: ({ domain }) => ({ domain }),
  },
  { path: 'signIn.getPasswordPolicy', http: 'GET /api/org/password-policy', who: 'admin', input: none },
  {
    ...{ path: 'signIn.setPasswordPolicy', http: 'PUT /api/org/password-policy', who: 'admin', changesAnyway: true },
    input: () => ({ password_sign_in: true }),
  },
  { path: 'signIn.listIdentities', http: 'GET /api/session/identities', who: 'person', input: none },
  {
    // Nobody's token, so that a call which is admitted changes nothing.
    ...{ path: 'signIn.link', http: 'POST /api/session/identities', who: 'person', changesAnyway: true },
    input: (_, mark) => ({ token: `no token ${mark}` }),
  },
  {
    ...{ path: 'signIn.finishLink', http: 'POST /api/session/identities/finish', who: 'person' },
    input: (_, mark) => ({ flow: `no flow ${mark}`, callback: 'code=x' }),
  },
  {
    ...{ path: 'signIn.unlink', http: 'DELETE /api/session/identities/{identity_id}', who: 'person' },
    input: ({ identity }) => ({ identity_id: identity }),
  },
];
