import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordAudit } from '../audit/record-audit.js';
import { makePassword } from '../auth/password.js';
import type { Database } from '../db/database.js';
import { createOrganisation } from '../operator/create-organisation.js';
import { loadSampleIntelligence } from './load-intelligence.js';
import { makeSample } from './make-sample.js';

/** What the first run made, as kept in `DATA_DIR/first-run.json`. Keys and project are there with the sample alone. */
export interface FirstRun {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly keys?: { readonly read_only: string; readonly read_write: string };
  readonly project_id?: string;
}

interface FirstRunOptions {
  readonly database: Database;
  readonly dataDir: string;
  /** Where the server answers. */
  readonly url: string;
  readonly sample: boolean;
}

/** `.invalid` is nobody's domain (RFC 2606), so no mail can ever reach a stranger. */
const adminEmail = 'admin@sample.invalid';

/**
 * In a database without any organisation, makes the first one; answers null in any other. The credentials are on disk,
 * readable by the owner alone, before the account exists: a start that is cut short locks nobody out.
 */
export async function firstRun({ database, dataDir, url, sample }: FirstRunOptions): Promise<FirstRun | null> {
  const known = await database.system((tx) => tx.selectFrom('organisations').select('id').limit(1).execute());
  if (known.length > 0) return null;
  const admin = { email: adminEmail, password: makePassword() };
  await keep(dataDir, { url, admin });
  const created = await createOrganisation(
    database,
    { name: sample ? 'Sample' : 'My organisation', plan: 'Enterprise', admin: { ...admin, name: 'First admin' } },
    { ip: null, requestId: null },
  );
  if (!sample) return { url, admin };
  await loadSampleIntelligence(database, dataDir);
  const organisationId = created.organisation.id;
  const made = await database.tenant(organisationId, async (tx) => {
    const { id, name } = created.admin;
    const origin = { organisationId, actor: { kind: 'member', id, name }, ip: null, requestId: null } as const;
    const now = new Date();
    return makeSample({
      tx,
      organisationId,
      now,
      caller: {
        kind: 'member',
        organisationId,
        plan: 'Enterprise',
        id,
        name,
        role: 'admin',
        sessionId: '',
        expiresAt: now,
      },
      audit: (event) => recordAudit(tx, origin, event),
    });
  });
  const answer = { url, admin, ...made };
  await keep(dataDir, answer);
  return answer;
}

/** Written aside and renamed: the file is whole or not there. */
async function keep(dataDir: string, run: FirstRun): Promise<void> {
  const path = join(dataDir, 'first-run.json');
  await writeFile(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
