import * as z from 'zod';
import { domain as domainName } from '../../procedures/sign-in.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import type { Database } from '../db/database.js';
import { notFound } from '../http/api-error.js';
import { claimDomain, proveDomain } from '../sign-in-settings/email-domains.js';
import { operatorActor } from './operator-actor.js';

export interface OwnedDomain {
  readonly organisation_id: string;
  readonly domain: string;
}

export interface OwnedAddress {
  readonly organisation_id: string;
  readonly email: string;
}

const emailAddress = z.email().toLowerCase();

/** A domain or an e-mail address as somebody enters it; null where it is neither. */
export function readOwned(entered: string): { readonly domain: string } | { readonly email: string } | null {
  const [domain, email] = [domainName.safeParse(entered), emailAddress.safeParse(entered)];
  if (domain.success) return { domain: domain.data };
  return email.success ? { email: email.data } : null;
}

/**
 * The operator's word that a domain is an organisation's. It counts more than a TXT record that another organisation
 * has shown once: that one loses the domain, and both read so in their logs.
 */
export function proveDomainOf(
  database: Database,
  { organisation_id: organisationId, domain }: OwnedDomain,
  request: RequestOrigin,
) {
  return database.system(async (tx) => {
    await tx
      .selectFrom('organisations')
      .select('id')
      .where('id', '=', organisationId)
      .forKeyShare()
      .executeTakeFirstOrThrow(() => notFound('organisation'));
    const former = await tx
      .updateTable('email_domains')
      .set({ proven_by: null })
      .where('domain', '=', domain)
      .where('organisation_id', '<>', organisationId)
      .where('proven_by', 'is not', null)
      .returning('organisation_id')
      .executeTakeFirst();
    await claimDomain(tx, { organisationId, domain });
    await proveDomain(tx, { organisationId, domain, by: 'operator' });
    const target = { kind: 'domain', id: domain };
    const by = { actor: operatorActor, ...request };
    if (former !== undefined) {
      const origin = { organisationId: former.organisation_id, ...by };
      await recordAudit(tx, origin, { action: 'domain.lose', target });
    }
    await recordAudit(tx, { organisationId, ...by }, { action: 'domain.prove', target, after: { by: 'operator' } });
    return { organisation_id: organisationId, domain, taken_from: former?.organisation_id ?? null };
  });
}

/** The operator's word that an address is its member's: whom an issuer says to have it has this account. */
export function proveAddressOf(
  database: Database,
  { organisation_id: organisationId, email }: OwnedAddress,
  request: RequestOrigin,
) {
  return database.system(async (tx) => {
    const { id } = await tx
      .updateTable('members')
      .set({ proven_by: 'operator' })
      .where('organisation_id', '=', organisationId)
      .where('email', '=', email)
      .returning('id')
      .executeTakeFirstOrThrow(() => notFound('member'));
    await recordAudit(
      tx,
      { organisationId, actor: operatorActor, ...request },
      { action: 'member.prove', target: { kind: 'member', id }, after: { by: 'operator' } },
    );
    return { organisation_id: organisationId, email, member_id: id };
  });
}
