import type { Handlers } from '../api/handler.js';
import { acceptInvite } from './accept-invite.js';
import { getAuditLog } from './audit-log.js';
import { exportAuditLog } from './export-audit-log.js';
import { createInvite, listInvites, revokeInvite } from './invites.js';
import { listMembers, removeMember, updateMember } from './members.js';
import { getOrganisation, updateOrganisation } from './organisation.js';
import { createPasswordReset } from './password-resets.js';

/** All but those about sessions, which a higher layer has. */
export const organisationHandlers: Omit<Handlers['organisation'], 'listSessions' | 'endSession' | 'endSessions'> = {
  get: getOrganisation,
  update: updateOrganisation,
  listMembers,
  updateMember,
  removeMember,
  createPasswordReset,
  listInvites,
  createInvite,
  revokeInvite,
  acceptInvite,
  getAuditLog,
  exportAuditLog,
};
