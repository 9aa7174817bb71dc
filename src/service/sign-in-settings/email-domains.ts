import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type * as z from 'zod';
import type { domainProof } from '../../procedures/sign-in.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import type { Context, Handlers } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { conflict, invalidField, notFound } from '../http/api-error.js';

type SignIn = Handlers['signIn'];
type DomainHandlers = Pick<SignIn, 'listDomains' | 'addDomain' | 'checkDomain' | 'removeDomain'>;

/** Domains of one organisation. */
const maxDomains = 100;

/** TXT records of a name, each as its parts. Rejects as `node:dns` does. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** Asks the servers of this machine's configuration. */
export function systemTxt(): ResolveTxt {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return (name) => resolver.resolveTxt(name);
}

const domainColumns = ['domain', 'challenge', 'proven_by', 'created_at'] as const;

type DomainProof = z.infer<typeof domainProof>;

interface DomainRow {
  readonly domain: string;
  readonly challenge: string;
  readonly proven_by: DomainProof | null;
  readonly created_at: Date;
}

function toDomain({ challenge, ...row }: DomainRow) {
  return { ...row, txt_record: recordOf({ domain: row.domain, challenge }) };
}

function recordOf({ domain, challenge }: Pick<DomainRow, 'domain' | 'challenge'>) {
  return { name: `_postern-challenge.${domain}`, value: `postern-domain=${challenge}` };
}

export function domainHandlers(resolveTxt: ResolveTxt): DomainHandlers {
  return {
    async listDomains({ tx, organisationId }) {
      const rows = tx.selectFrom('email_domains').where('organisation_id', '=', organisationId);
      return { items: (await rows.select(domainColumns).orderBy('domain').execute()).map(toDomain) };
    },

    async addDomain({ tx, organisationId, audit }, { domain }) {
      const known = await tx
        .selectFrom('email_domains')
        .select(domainColumns)
        .where('organisation_id', '=', organisationId)
        .execute();
      const same = known.find((each) => each.domain === domain);
      if (same !== undefined) return toDomain(same);
      if (known.length >= maxDomains) throw invalidField('domain', 'too_many_domains');
      const isNew = await claimDomain(tx, { organisationId, domain });
      if (isNew) await audit({ action: 'domain.add', target: { kind: 'domain', id: domain } });
      return toDomain(await domainOf({ tx, organisationId }, domain));
    },

    async checkDomain({ step }, { domain }) {
      const row = await step((ctx) => domainOf(ctx, domain));
      if (row.proven_by !== null) return toDomain(row);
      const { name, value } = recordOf(row);
      const records = await resolveTxt(name).catch((error: unknown) => {
        if (['ENODATA', 'ENOTFOUND'].includes(codeOfError(error) ?? '')) return [];
        throw invalidField('domain', 'dns_unreachable');
      });
      if (!records.some((parts) => parts.join('') === value)) throw invalidField('domain', 'domain_not_shown');
      return step(async (ctx) => {
        const now = await domainOf(ctx, domain);
        // Named anew meanwhile: then another record would show it.
        if (now.challenge !== row.challenge) throw invalidField('domain', 'domain_not_shown');
        await proveDomain(ctx.tx, { organisationId: ctx.organisationId, domain, by: 'dns' });
        await ctx.audit({ action: 'domain.prove', target: { kind: 'domain', id: domain }, after: { by: 'dns' } });
        return toDomain(await domainOf(ctx, domain));
      });
    },

    async removeDomain({ tx, organisationId, audit }, { domain }) {
      const { proven_by } = await tx
        .deleteFrom('email_domains')
        .where('organisation_id', '=', organisationId)
        .where('domain', '=', domain)
        .returning('proven_by')
        .executeTakeFirstOrThrow(() => notFound('domain'));
      await audit({ action: 'domain.remove', target: { kind: 'domain', id: domain }, before: { proven_by } });
      return { domain, deleted: true };
    },
  };
}

async function domainOf({ tx, organisationId }: Pick<Context, 'tx' | 'organisationId'>, domain: string) {
  const row = await tx
    .selectFrom('email_domains')
    .select(domainColumns)
    .where('organisation_id', '=', organisationId)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow(() => notFound('domain'));
  return row;
}

interface Claim {
  readonly organisationId: string;
  readonly domain: string;
}

/** Names a domain, with a challenge that its TXT record must answer. Answers whether it was not named before. */
export async function claimDomain(tx: Transaction, { organisationId, domain }: Claim): Promise<boolean> {
  const named = await tx
    .insertInto('email_domains')
    .values({ organisation_id: organisationId, domain, challenge: randomBytes(20).toString('hex') })
    .onConflict((same) => same.columns(['organisation_id', 'domain']).doNothing())
    .returning('domain')
    .executeTakeFirst();
  return named !== undefined;
}

interface Proven extends Claim {
  readonly by: DomainProof;
}

/** From now on the domain's addresses are the organisation's. Throws where they are another one's. */
export async function proveDomain(tx: Transaction, { organisationId, domain, by }: Proven): Promise<void> {
  try {
    await tx
      .updateTable('email_domains')
      .set({ proven_by: by })
      .where('organisation_id', '=', organisationId)
      .where('domain', '=', domain)
      .execute();
  } catch (error) {
    // The index over proven domains: row-level security lets no organisation ask for another one's row.
    if (codeOfError(error) === '23505') throw conflict('domain_elsewhere');
    throw error;
  }
}
