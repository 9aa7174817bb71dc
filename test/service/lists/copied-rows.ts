import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../src/service/db/database.js';
import type { World } from '../../conformance/world.js';
import { testSecrets } from '../../support/secrets.js';

type Fields = Readonly<Record<string, unknown>>;

/** A row of the world that is copied with other values, so that a list gets another row. */
interface Copied {
  readonly table: string;
  /** Which row; without it any of the organisation. */
  readonly of?: Fields;
  readonly changes: Fields;
}

/** Few values, so that many rows are alike in all keys but the last. */
const few = <T>(...values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];
const time = () => few('2026-01-01T00:00:00Z', '2026-02-02T02:02:02.123456Z', '2026-03-03T00:00:00Z');
const name = () => `${few('a', 'B', 'ä', 'z_', 'Z')}${few('', '%', '\\', '"', '’')}-${randomUUID()}`;
const hash = () => `\\x${randomUUID().replaceAll('-', '')}`;

const priority = () => ({
  epss: few(null, 0.1, 0.1, 0.94312),
  kev_added: few(null, null, '2025-01-02'),
});

/** An alert on another package, and where it is asked for its verdict. */
function alertRows({ alertId }: World, id: string, withVerdict: boolean): Copied[] {
  const resolved_at = withVerdict ? null : (few(null, null, time()) ?? null);
  const alert = {
    ...priority(),
    id: withVerdict ? `${id}-alert` : id,
    package_name: name(),
    tier: few('RED', 'YELLOW', 'GREEN'),
    cvss_score: few(null, 9.8, 9.1),
    ...few(
      ...(withVerdict ? [] : [{ verdict_band: null, effective_priority: null }]),
      { verdict_band: 'needs_review', effective_priority: 40.5 },
      { verdict_band: 'likely_exploitable', effective_priority: 73.1 },
    ),
    first_seen_at: time(),
    resolved_at,
    resolution: resolved_at === null ? null : 'upgraded',
    turns: turnsOf(resolved_at === null),
    acknowledged_at: few(null, time()),
  };
  const copied = { table: 'alerts', of: { id: alertId }, changes: alert };
  return withVerdict
    ? [copied, { table: 'verdicts', of: { alert_id: alertId }, changes: { id, alert_id: alert.id } }]
    : [copied];
}

/** The moments at which it became open and closed, in turn. */
function turnsOf(isOpen: boolean): readonly string[] {
  return isOpen ? ['2026-01-01T00:00:00Z'] : ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
}

const finding = (domain: string) => (_world: World, id: string) => findingRow(domain, id, few('open', 'open', 'fixed'));

const findingRow = (domain: string, id: string, state: string | undefined) => [
  {
    table: 'findings',
    of: { domain },
    changes: {
      ...priority(),
      ...{ id, identity: hash(), title: name(), severity: few('critical', 'high', 'low'), tier: few('RED', 'YELLOW') },
      ...{ state, turns: turnsOf(state === 'open'), first_seen_at: time() },
    },
  },
];

const scanJob = (domain: string, hosted: boolean) => (_world: World, id: string) => [
  { table: 'scan_jobs', of: { domain, hosted }, changes: { id, queued_at: time() } },
];

const one = (table: string, changes: () => Fields, of?: (world: World) => Fields) => (world: World, id: string) => [
  { table, changes: { id, ...changes() }, ...(of && { of: of(world) }) },
];

const ofMember = ({ organisation }: World) => ({ member_id: organisation.member.id });
const session = one('sessions', () => ({ created_at: time() }), ofMember);
const project = one('projects', () => ({ name: name(), created_at: time(), updated_at: time() }));
const item = one(
  'tech_stack_items',
  () => ({ name: few('a', 'B'), package_name: name(), added_at: time() }),
  () => ({
    deprecated: 'use another',
  }),
);

/** These copies give each list another row, by the path of the procedure. */
export const copies: Readonly<Record<string, (world: World, id: string) => readonly Copied[]>> = {
  'organisation.listMembers': one('members', () => ({ email: `${randomUUID()}@example.com`, name: few('Ada', 'ada') })),
  'organisation.listSessions': session,
  'session.list': session,
  'organisation.listInvites': one('invites', () => ({
    token_hash: hash(),
    email: `${randomUUID()}@example.com`,
    created_at: time(),
  })),
  'organisation.getAuditLog': one('audit_log', () => ({ at: time() })),
  'projects.list': project,
  'posture.listProjects': project,
  'apiKeys.list': one('api_keys', () => ({ key_hash: hash(), created_at: time() })),
  'groups.list': one('project_groups', () => ({ name: name(), created_at: time() })),
  'alerts.list': (world, id) => alertRows(world, id, false),
  'alerts.listHistory': (world, id) => [
    {
      table: 'audit_log',
      of: { action: 'alert.acknowledge' },
      changes: { id, target_id: world.alertId, project_id: world.projectId, at: time() },
    },
  ],
  'sast.listFindings': finding('code'),
  'sast.listScanJobs': scanJob('code', false),
  'dast.listFindings': finding('running_app'),
  'dast.listScanJobs': scanJob('running_app', false),
  'dast.listServerScanJobs': scanJob('running_app', true),
  'dast.listTargets': one('dast_targets', () => ({ url: `https://${randomUUID()}.example`, name: few('a', 'A', 'b') })),
  'reachability.listVerdicts': (world, id) => alertRows(world, id, true),
  'containers.listImages': one('container_images', () => ({ ref: name(), scanned_at: time() })),
  'containers.listFindings': finding('containers'),
  'techStack.list': item,
  'intelligence.getPackageHealth': item,
  'techStack.listReportedVulnerabilities': one('reported_vulnerabilities', () => ({
    severity: few(null, 'high', 'low'),
    updated_at: time(),
  })),
  // Its address is sealed for its id.
  'webhooks.list': (_world, id) => {
    const url = testSecrets.seal('https://webhooks.example.com/other', `webhooks.url ${id}`);
    return [{ table: 'webhooks', changes: { id, url, secret: null, name: few('ours', 'Ours'), created_at: time() } }];
  },
  'webhooks.listDeliveries': one(
    'webhook_deliveries',
    () => ({ created_at: time() }),
    ({ webhookId }) => ({ webhook_id: webhookId }),
  ),
  'vex.listProposals': (world, id) => [
    ...alertRows(world, `${id}-verdict`, true),
    { table: 'vex_proposals', changes: { id, verdict_id: `${id}-verdict`, created_at: time() } },
  ],
  'uploads.list': one('uploads', () => ({ state: few('done', 'failed'), received_at: time() })),
  'intelligence.findExposed': (world, id) => alertRows(world, id, false),
};

/** The tables whose rows a copy has, and the ids that these have. */
export type CopiedIds = ReadonlyArray<{ readonly table: string; readonly id: string }>;

/** Adds a row to a list. Neither foreign keys nor counts are checked or kept: the list's own rows are what is asked for. */
export async function addCopies(
  database: Database,
  organisationId: string,
  rows: readonly Copied[],
): Promise<CopiedIds> {
  return database.system(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const { table, of = {}, changes } of rows) {
      const { rows: columns } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'`.execute(
        tx,
      );
      const names = sql.join(columns.map((column) => sql.id(column.name)));
      const isIt = Object.entries(of).map(([column, value]) => sql` and ${sql.ref(column)} = ${value}`);
      const added = await sql`
        insert into ${sql.table(table)} (${names})
        select ${names} from jsonb_populate_record(null::${sql.table(table)}, (
          select to_jsonb(this_row) from ${sql.table(table)} as this_row
          where organisation_id = ${organisationId} ${sql.join(isIt, sql``)} order by id limit 1
        ) || ${JSON.stringify(changes)}::jsonb)`.execute(tx);
      if (added.numAffectedRows !== 1n) throw new Error(`${table} has no row to copy`);
    }
    return rows.map(({ table, changes }) => ({ table, id: String(changes['id']) }));
  });
}

export async function removeCopies(database: Database, organisationId: string, copied: CopiedIds): Promise<void> {
  await database.system(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const { table, id } of copied) {
      await sql`delete from ${sql.table(table)} where organisation_id = ${organisationId} and id = ${id}`.execute(tx);
    }
  });
}
