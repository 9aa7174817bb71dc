import type { Handlers } from '../api/handler.js';
import { acceptInvite } from './accept-invite.js';
import { getAuditLog } from './audit-log.js';
import { exportAuditLog } from './export-audit-log.js';
import { createInviteWith, listInvites, revokeInvite } from './invites.js';
import { listMembers, removeMember, updateMember } from './members.js';
import { getOrganisation, updateOrganisation } from './organisation.js';
import { createPasswordResetWith } from './password-resets.js';

/** All but those about sessions, which a higher layer has. */
export function organisationHandlers(
  canMail: boolean,
): Omit<Handlers['organisation'], 'listSessions' | 'endSession' | 'endSessions'> {
  return {
    get: getOrganisation,
    update: updateOrganisation,
    listMembers,
    updateMember,
    removeMember,
    createPasswordReset: createPasswordResetWith(canMail),
    listInvites,
    createInvite: createInviteWith(canMail),
    revokeInvite,
    acceptInvite,
    getAuditLog,
    exportAuditLog,
  };
}
