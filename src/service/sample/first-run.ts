import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditing, noRequest } from '../audit/record-audit.js';
import { makePassword } from '../auth/password.js';
import type { Database } from '../db/database.js';
import { createOrganisation } from '../operator/create-organisation.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { loadSampleIntelligence } from './load-intelligence.js';
import { makeSample, type SampleAccess } from './make-sample.js';

/** What the first run has created, as kept in `DATA_DIR/first-run.json`. Only the sample has keys and a project. */
export interface FirstRun extends Partial<SampleAccess> {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
}

interface FirstRunOptions {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly dataDir: string;
  readonly url: string;
  readonly sample: boolean;
}

/** Nobody can own a domain under `.invalid` (RFC 2606), so no mail can reach a stranger. */
const adminEmail = 'admin@sample.invalid';

/**
 * Creates the first organisation in a database that has none; in any other database it returns null. The credentials are
 * written to disk, readable only by the owner, before the account exists. So an interrupted start locks nobody out.
 */
export async function firstRun({ database, secrets, dataDir, url, sample }: FirstRunOptions): Promise<FirstRun | null> {
  const known = await database.system((tx) => tx.selectFrom('organisations').select('id').limit(1).execute());
  if (known.length > 0) return null;
  const admin = { email: adminEmail, password: makePassword() };
  await writeCredentials(dataDir, { url, admin });
  const created = await createOrganisation(
    database,
    { name: sample ? 'Sample' : 'My organisation', plan: 'Enterprise', admin: { ...admin, name: 'First admin' } },
    noRequest,
  );
  if (!sample) return { url, admin };
  await loadSampleIntelligence(database, dataDir);
  const organisationId = created.organisation.id;
  const made = await database.tenant(organisationId, async (tx) => {
    const { id, name } = created.admin;
    const actor = { kind: 'member', id, name, sessionId: null, issuer: null } as const;
    const origin = { organisationId, actor, ...noRequest };
    const now = new Date();
    const member = { kind: 'member', organisationId, plan: 'Enterprise', id, name, role: 'admin' } as const;
    const caller = { ...member, grants: [], sessionId: '', issuer: null, access: 'write' as const, expiresAt: now };
    return makeSample(
      { tx, organisationId, now, question: 'sample', caller, ...auditing(tx, origin) },
      secrets,
      (projectId) => auditing(tx, { ...origin, projectId }),
    );
  });
  const answer = { url, admin, ...made };
  await writeCredentials(dataDir, answer);
  return answer;
}

/** Written under another name and renamed, so that the file is never incomplete. */
async function writeCredentials(dataDir: string, run: FirstRun): Promise<void> {
  const path = join(dataDir, 'first-run.json');
  await writeFile(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
