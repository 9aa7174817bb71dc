import { inject } from 'vitest';
import { auditing, noRequest } from '../../../src/service/audit/record-audit.js';
import type { Plan } from '../../../src/service/auth/caller.js';
import type { Database } from '../../../src/service/db/database.js';
import { loadSampleIntelligence } from '../../../src/service/sample/load-intelligence.js';
import { makeSample } from '../../../src/service/sample/make-sample.js';
import { testSecrets } from '../../support/secrets.js';
import type { TestOrganisation, TestService } from '../../support/service.js';

export interface SampleOrganisation extends TestOrganisation {
  /** The web shop: alerts of each tier and band, and findings of each scanner. */
  readonly projectId: string;
}

const intelligence = new WeakMap<Database, Promise<void>>();

/** The sample's advisories and feeds, once for each database. */
function loadIntelligence(database: Database): Promise<void> {
  const loading = intelligence.get(database) ?? loadSampleIntelligence(database, inject('runFolder'));
  intelligence.set(database, loading);
  return loading;
}

/** An organisation with the sample that a first start makes. Its plan is set last: the sample uses all that there is. */
export async function newSampleOrganisation(
  { database, newOrganisation }: TestService,
  plan: Plan = 'Enterprise',
): Promise<SampleOrganisation> {
  await loadIntelligence(database);
  const organisation = await newOrganisation({ plan: 'Enterprise' });
  const { id: organisationId, admin } = organisation;
  const { project_id } = await database.tenant(organisationId, async (tx) => {
    const { id, name } = admin;
    const now = new Date();
    const actor = { kind: 'member', id, name, sessionId: null, issuer: null } as const;
    const origin = { organisationId, actor, ...noRequest };
    const member = { kind: 'member', organisationId, plan: 'Enterprise', id, name, role: 'admin' } as const;
    const caller = { ...member, grants: [], sessionId: '', issuer: null, access: 'write' as const, expiresAt: now };
    return makeSample(
      { tx, organisationId, now, question: 'sample', caller, ...auditing(tx, origin) },
      testSecrets,
      (projectId) => auditing(tx, { ...origin, projectId }),
    );
  });
  await database.system((tx) =>
    tx.updateTable('organisations').set({ plan }).where('id', '=', organisationId).execute(),
  );
  return { ...organisation, plan, projectId: project_id };
}
