import type { Operation } from '../support/operation.js';
import { none } from './inputs.js';

/** Sessions and passwords: a member's own, and those that admins look after. */
export const sessionOperations: readonly Operation[] = [
  { path: 'session.get', http: 'GET /api/session', who: 'reader', input: none },
  {
    ...{ path: 'session.end', http: 'DELETE /api/session', who: 'person', input: none },
    ...{ changesAnyway: true, endsSessions: 'own' },
  },
  {
    ...{ path: 'session.renew', http: 'POST /api/session/renewal', who: 'person', input: none },
    changesAnyway: true,
  },
  { path: 'session.list', http: 'GET /api/sessions', who: 'person', input: none },
  {
    ...{ path: 'session.endOne', http: 'DELETE /api/sessions/{session_id}', who: 'person' },
    input: ({ session }) => ({ session_id: session }),
  },
  {
    ...{ path: 'session.endOthers', http: 'DELETE /api/sessions', who: 'person', input: none },
    ...{ changesAnyway: true, endsSessions: 'others' },
  },
  {
    // Nobody's current password, so that a call which is admitted changes nothing.
    ...{ path: 'session.changePassword', http: 'PUT /api/session/password', who: 'person', changesAnyway: true },
    input: (_, mark) => ({ current_password: 'not the password', new_password: `a new password ${mark}` }),
  },
  {
    // No server sends mail here, so that a call which is admitted changes nothing.
    ...{ path: 'session.proveAddress', http: 'POST /api/session/address-proof', who: 'person', changesAnyway: true },
    input: none,
  },
  {
    ...{ path: 'session.confirmAddress', http: 'PUT /api/session/address-proof', who: 'person', changesAnyway: true },
    input: () => ({ token: 'not a token' }),
  },
  {
    ...{ path: 'organisation.createPasswordReset', http: 'POST /api/org/members/{member_id}/password-reset' },
    ...{ who: 'admin', input: ({ member }) => ({ member_id: member }) },
  },
  {
    ...{ path: 'organisation.listSessions', http: 'GET /api/org/sessions', who: 'admin', filtersById: true },
    input: ({ member }) => ({ member_id: member }),
  },
  {
    ...{ path: 'organisation.endSession', http: 'DELETE /api/org/sessions/{session_id}', who: 'admin' },
    input: ({ session }) => ({ session_id: session }),
  },
  {
    ...{ path: 'organisation.endSessions', http: 'DELETE /api/org/sessions', who: 'admin' },
    input: ({ member }) => ({ member_id: member }),
  },
];
