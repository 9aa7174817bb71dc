import { networkOf } from '../../shared/limits/network.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import type { Plan } from '../auth/caller.js';
import { inHashingQueue } from '../auth/hashing.js';
import { hashOfAddress, hashPassword, makePassword } from '../auth/password.js';
import type { Database } from '../db/database.js';
import { newId } from '../db/ids.js';
import { groupsOfMember } from '../organisations/member-groups.js';
import { memberColumns } from '../organisations/members.js';
import { organisationColumns } from '../organisations/organisation.js';
import { operatorActor } from './operator-actor.js';

export interface NewOrganisation {
  readonly name: string;
  readonly contact_email?: string | null | undefined;
  readonly plan: Plan;
  /** Without a password, one is generated and answered. */
  readonly admin: { readonly email: string; readonly name: string; readonly password?: string | undefined };
}

/** Makes an organisation with its first admin. A generated `password` is answered here and never again. */
export async function createOrganisation(
  database: Database,
  { name, contact_email, plan, admin }: NewOrganisation,
  from: RequestOrigin,
) {
  const password = admin.password ?? makePassword();
  const email = admin.email.toLowerCase();
  const like = await database.system((tx) => hashOfAddress(tx, email));
  const password_hash = await inHashingQueue(networkOf(from.ip), () => hashPassword(password, like));
  return database.system(async (tx) => {
    const organisation = await tx
      .insertInto('organisations')
      .values({ id: newId('org'), name, contact_email: contact_email ?? null, plan })
      .returning(organisationColumns)
      .executeTakeFirstOrThrow();
    const { id: organisation_id } = organisation;
    const member = await tx
      .insertInto('members')
      .values({
        organisation_id,
        id: newId('mem'),
        email,
        name: admin.name,
        role: 'admin',
        password_hash,
      })
      .returning([...memberColumns, groupsOfMember])
      .executeTakeFirstOrThrow();
    await recordAudit(
      tx,
      { organisationId: organisation_id, actor: operatorActor, ...from },
      {
        action: 'organisation.create',
        target: { kind: 'organisation', id: organisation_id },
        after: { name, contact_email: organisation.contact_email, plan, admin: member.id, admin_email: member.email },
      },
    );
    return { organisation, admin: member, password: admin.password === undefined ? password : undefined };
  });
}
