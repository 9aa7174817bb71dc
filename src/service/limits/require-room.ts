import { type RawBuilder, sql } from 'kysely';
import { type Quota, quotaText } from '../../procedures/problem.js';
import type { Plan } from '../auth/caller.js';
import { inAllProjects } from '../db/all-projects.js';
import type { Transaction } from '../db/database.js';
import { ApiError, notFound } from '../http/api-error.js';

type QuotaKind = Quota['of'];

/** What an organisation may have, by its plan. Free is meant for a team of fifty with all its repositories. */
const quotas: Readonly<Record<Plan, Readonly<Record<QuotaKind, number>>>> = {
  Free: { projects: 200, findings: 500_000, api_keys: 100, webhooks: 200, members: 100, targets: 500, groups: 100 },
  Business: {
    projects: 5_000,
    findings: 5_000_000,
    api_keys: 1_000,
    webhooks: 2_000,
    members: 2_000,
    targets: 10_000,
    groups: 1_000,
  },
  Enterprise: {
    projects: 50_000,
    findings: 50_000_000,
    api_keys: 10_000,
    webhooks: 20_000,
    members: 20_000,
    targets: 100_000,
    groups: 10_000,
  },
};

/** How many there are. Row-level security shows one organisation's rows; each index begins with the organisation. */
const used: Readonly<Record<QuotaKind, (organisationId: string) => RawBuilder<number>>> = {
  projects: (id) => sql`select count(*)::int from projects where organisation_id = ${id}`,
  // Counted by the database as they change: see counts/.
  findings: (id) => sql`select coalesce(sum(count), 0)::int from posture_counts
    where organisation_id = ${id} and source = '' and domain <> 'dependencies'`,
  api_keys: (id) => sql`select count(*)::int from api_keys where organisation_id = ${id} and revoked_at is null`,
  webhooks: (id) => sql`select count(*)::int from webhooks where organisation_id = ${id}`,
  members: (id) => sql`select ((select count(*) from members where organisation_id = ${id})
    + (select count(*) from invites where organisation_id = ${id} and accepted_at is null and revoked_at is null
      and expires_at > now()))::int`,
  targets: (id) => sql`select count(*)::int from dast_targets where organisation_id = ${id}`,
  groups: (id) => sql`select count(*)::int from project_groups where organisation_id = ${id}`,
};

/**
 * Refuses what would pass the plan's quota, before it is written: `conflict` with the reason `quota_exceeded` and the
 * numbers. Two requests that add the last one at the same time wait for each other, each until the other's transaction ends.
 */
export async function requireRoom(tx: Transaction, organisationId: string, kind: QuotaKind, added = 1): Promise<void> {
  if (added === 0) return;
  await lockQuota(tx, organisationId, kind);
  await checkQuota(tx, organisationId, kind, { added, isWritten: false });
}

/** Fewer findings are written before it is asked whether there is room: they go with the transaction. */
const worthAsking = 1_000;

/**
 * The same for the findings of a scan, which are written in many transactions: a scan asks before it writes and once more in
 * the transaction that shows them, then as `isWritten`. Only the second time counts what other scans have added meanwhile, so
 * only then it waits for them; the first one spares the work where there is no room.
 */
export async function requireRoomForFindings(
  tx: Transaction,
  organisationId: string,
  { added, isWritten }: Added,
): Promise<void> {
  if (added === 0 || (!isWritten && added < worthAsking)) return;
  if (isWritten) await lockQuota(tx, organisationId, 'findings');
  await checkQuota(tx, organisationId, 'findings', { added, isWritten });
}

interface Added {
  readonly added: number;
  /** The transaction counts them already. */
  readonly isWritten: boolean;
}

async function lockQuota(tx: Transaction, organisationId: string, kind: QuotaKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${organisationId} ${kind}`}, 0))`.execute(tx);
}

async function checkQuota(
  tx: Transaction,
  organisationId: string,
  kind: QuotaKind,
  { added, isWritten }: Added,
): Promise<void> {
  const { rows } = await inAllProjects(tx, () =>
    sql<{ plan: Plan; used: number }>`
      select plan, (${used[kind](organisationId)}) as used from organisations where id = ${organisationId}`.execute(tx),
  );
  const [found] = rows;
  if (found === undefined) throw notFound('organisation');
  const { plan } = found;
  const before = found.used - (isWritten ? added : 0);
  const quota: Quota = { of: kind, plan, limit: quotas[plan][kind], used: before, added };
  if (before + added > quota.limit) {
    throw new ApiError('conflict', { reason: 'quota_exceeded', detail: quotaText(quota), quota });
  }
}
