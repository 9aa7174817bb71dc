import type { AuthorizationServer } from './authorization-server.js';
import type { TestOrganisation, TestService } from './service.js';

/** From now on the people of the server's issuer are those members of the organisation that have their addresses: the operator says so. */
export async function takePeople(
  service: TestService,
  { id, admin }: Pick<TestOrganisation, 'id' | 'admin'>,
  { issuer }: Pick<AuthorizationServer, 'issuer'>,
): Promise<void> {
  const policy = { default_role: 'member', joins: false, groups_claim: null, group_roles: [] };
  const { status, body } = await service.call(admin.session, 'POST', '/api/org/issuers', { issuer, ...policy });
  if (status !== 200) throw new Error(`the issuer is not taken: ${JSON.stringify(body)}`);
  await service.database.system((tx) =>
    tx.updateTable('members').set({ proven_by: 'operator' }).where('organisation_id', '=', id).execute(),
  );
}
