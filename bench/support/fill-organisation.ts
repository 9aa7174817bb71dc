import { sql } from 'kysely';
import { domains } from '../../src/procedures/risk.js';
import { hashSecret, makeApiKey } from '../../src/service/auth/api-key.js';
import type { Database } from '../../src/service/db/database.js';
import { insertAlerts } from './volume-alerts.js';
import { insertFindings } from './volume-findings.js';
import { fillAuditLog, fillProjects, fillStacks } from './volume-projects.js';
import type { Volume } from './volume-rows.js';
import { batchesOf, domainShares, type VolumeProject, volumeProjects } from './volume-shares.js';
import { insertSources } from './volume-sources.js';
import { fillVulnerabilities } from './volume-vulnerabilities.js';

export interface VolumeOrganisation {
  readonly id: string;
  readonly findings: number;
  readonly projects: readonly VolumeProject[];
  /** An API key that may write. */
  readonly key: string;
}

interface FillOptions {
  readonly findings: number;
  readonly projects: number;
  /** Prints progress. */
  readonly log: (line: string) => void;
}

/**
 * Fills an organisation with findings of all domains, or reuses the one of an earlier run. The same number of findings
 * gives the same organisation, except for its times, which count back from today.
 */
export async function fillOrganisation(database: Database, options: FillOptions): Promise<VolumeOrganisation> {
  const { findings, log } = options;
  const id = `org_volume_${findings}_${options.projects}`;
  const projects = volumeProjects(options.projects, findings);
  const key = makeApiKey();
  const known = await database.system((tx) =>
    tx.selectFrom('organisations').select('name').where('id', '=', id).executeTakeFirst(),
  );
  if (known !== undefined && known.name !== filled)
    throw new Error(`${id} is half filled: start with an empty database`);
  if (known === undefined) {
    await database.system((tx) =>
      tx.insertInto('organisations').values({ id, name: 'being filled', plan: 'Business' }).execute(),
    );
    await fill(database, id, projects, options);
  } else log(`${id} is there already`);
  await database.system((tx) =>
    tx
      .insertInto('api_keys')
      .values({
        ...{
          organisation_id: id,
          id: `key_${key.slice(-8)}`,
          name: 'volume',
          scope: 'ReadWrite',
          created_by: 'volume',
        },
        ...{ key_hash: hashSecret(key), last_four: key.slice(-4) },
      })
      .execute(),
  );
  return { id, findings, projects, key };
}

/** The name of an organisation that is filled. */
const filled = 'Volume';

async function fill(
  database: Database,
  organisationId: string,
  projects: readonly VolumeProject[],
  options: FillOptions,
) {
  const { findings, log } = options;
  const now = new Date();
  // Enough that no vulnerability repeats in the largest project: its alerts are a fourteenth of all findings.
  const volume: Volume = { organisationId, now, vulnerabilities: Math.max(5_000, Math.ceil(findings / 10)) };
  await fillVulnerabilities(database, volume.vulnerabilities, now.toISOString().slice(0, 10));
  await fillProjects(database, volume, projects);
  await fillStacks(database, volume, projects, 400 + findings / 25);
  await fillAuditLog(database, volume, 1_000 + findings / 25);
  await database.system((tx) => insertSources(tx, volume, projects, 100 + findings / 300));
  for (const domain of domains) {
    const rows = Math.round(findings * domainShares[domain]);
    const begun = performance.now();
    for (const batch of batchesOf(projects, rows)) {
      await database.system((tx) =>
        domain === 'dependencies' ? insertAlerts(tx, volume, batch) : insertFindings(tx, volume, domain, batch),
      );
    }
    const seconds = (performance.now() - begun) / 1000;
    log(`${domain}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second`);
  }
  await database.system((tx) =>
    sql`update organisations set name = ${filled} where id = ${organisationId}`.execute(tx),
  );
}
