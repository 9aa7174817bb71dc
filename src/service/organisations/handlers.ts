import type { Handlers } from '../api/handler.js';
import { acceptInvite } from './accept-invite.js';
import { getAuditLog } from './audit-log.js';
import { createInvite, listInvites, revokeInvite } from './invites.js';
import { listMembers, removeMember, updateMember } from './members.js';
import { getOrganisation, updateOrganisation } from './organisation.js';

export const organisationHandlers: Handlers['organisation'] = {
  get: getOrganisation,
  update: updateOrganisation,
  listMembers,
  updateMember,
  removeMember,
  listInvites,
  createInvite,
  revokeInvite,
  acceptInvite,
  getAuditLog,
};
