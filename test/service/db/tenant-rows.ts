import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';

type Row = Readonly<Record<string, unknown>>;

/** What one organisation has in each of the tenants' tables, parents before children. */
export interface TenantRows {
  readonly organisationId: string;
  readonly rows: ReadonlyMap<string, Row>;
}

/** A row for every table that belongs to an organisation; a test fails where a new table is missing here. */
export function newTenantRows(): TenantRows {
  const organisation_id = newId('org');
  const id = newId('row');
  const project = { organisation_id, project_id: id };
  const issuer = 'https://login.example.com';
  const later = '2100-01-01T00:00:00Z';
  const hash = `\\x${Buffer.from(organisation_id).toString('hex')}`;
  const rows = new Map<string, Row>([
    ['organisations', { id: organisation_id, name: 'Acme', plan: 'Free' }],
    ['last_writes', { organisation_id, position: '16/B374D848' }],
    [
      'members',
      { organisation_id, id, email: `${organisation_id}@example.com`, name: 'A', role: 'admin', password_hash: '-' },
    ],
    ['issuers', { organisation_id, id, issuer, default_role: 'viewer', joins: false }],
    ['identities', { organisation_id, id, member_id: id, issuer, subject: id }],
    ['email_domains', { organisation_id, domain: 'example.com', challenge: 'a' }],
    ['sessions', { organisation_id, id: newId('ses'), member_id: id, expires_at: later, identity_id: id }],
    [
      'invites',
      {
        organisation_id,
        id,
        email: 'b@example.com',
        role: 'member',
        token_hash: hash,
        invited_by: id,
        expires_at: later,
      },
    ],
    [
      'api_keys',
      { organisation_id, id, name: 'ci', scope: 'ReadOnly', key_hash: hash, last_four: 'abcd', created_by: id },
    ],
    [
      'audit_log',
      {
        organisation_id,
        id,
        actor_kind: 'system',
        actor_id: '-',
        actor_name: '-',
        action: 'a.b',
        target_kind: 'a',
        target_id: '-',
      },
    ],
    ['audit_outbox', { organisation_id, entry_id: id }],
    ['password_resets', { organisation_id, member_id: id, id, token_hash: hash, created_by: id, expires_at: later }],
    ['known_addresses', { organisation_id, member_id: id, address: '192.0.2.1' }],
    ['idempotency_keys', { organisation_id, key_hash: hash, request_hash: hash, status: 200 }],
    ['project_groups', { organisation_id, id, name: 'Retail' }],
    ['group_members', { organisation_id, member_id: id, group_id: id, role: 'viewer' }],
    ['projects', { organisation_id, id, name: 'Shop', exposure: 'internet', group_id: id }],
    ['change_sets', { ...project, state: 'landed', lease_until: later }],
    [
      'tech_stack_items',
      {
        ...project,
        id,
        source: 'manual',
        ecosystem: 'npm',
        name: 'qs',
        package_name: 'qs',
        version: '1.0.0',
        scope: 'runtime',
      },
    ],
    ['stack_sources', { ...project, source: 'sbom', updated_at: later }],
    [
      'unmatched_components',
      {
        ...{
          ...project,
          source: 'sbom',
          key: 'pkg:deb/debian/bash@5',
          kind: 'library',
          name: 'bash',
          scope: 'runtime',
        },
        ...{ dependencies: [], licences: [], hashes: [], updated_at: later },
      },
    ],
    [
      'reported_vulnerabilities',
      {
        ...{
          ...project,
          id,
          source: 'sbom',
          vulnerability_id: 'CVE-2024-0001',
          aliases: [],
          affects: [],
          packages: [],
        },
        ...{ ratings: [], updated_at: later },
      },
    ],
    [
      'alerts',
      {
        ...project,
        ...{ id, vulnerability_id: 'CVE-2024-0001', ecosystem: 'npm', package_name: 'qs', title: 't' },
        ...{ advisory_ids: [], cves: [], versions: [], malicious: false, tier: 'RED', turns: ['2100-01-01'] },
      },
    ],
    [
      'usage_reports',
      {
        ...project,
        id,
        content_hash: hash,
        analyser: 'x',
        generated_at: later,
        complete: true,
        report: {},
        uploaded_by: id,
      },
    ],
    [
      'usage_dependencies',
      {
        ...project,
        ...{ ecosystem: 'npm', package_name: 'qs', version: '1.0.0', usage: 'imported', scope: 'runtime' },
        ...{ symbols: [], sites: [], production_sites: 0, all_sites: 0, paths: [] },
      },
    ],
    [
      'verdicts',
      {
        ...{ ...project, id, alert_id: id, machine_score: 1, machine_band: 'needs_review' },
        ...{ evidence: {}, evidence_hash: hash, computed_at: later },
      },
    ],
    ['vex_documents', { ...project, id, format: 'openvex', content_hash: hash, uploaded_by: id, uploaded_at: later }],
    [
      'vex_proposals',
      {
        ...{ ...project, id, document_id: id, verdict_id: id, verdict: 'Exploitable', state: 'pending' },
        ...{ reason: 'a', status: 'affected', product: 'a', pointer: '/a', created_at: later },
      },
    ],
    ['finding_names', { organisation_id, name: 'CVE-2024-0001', finding_id: id }],
    ['searched_names', { organisation_id, kind: 'rule', part: 'code', name: id, sought: 'a' }],
    ['container_images', { ...project, id, ref: 'docker.io/library/a:1', layers: [], labels: {}, scanned_at: later }],
    ['dast_targets', { ...project, id, url: 'https://a.example/', name: 'A' }],
    [
      'uploads',
      {
        ...project,
        id,
        procedure: 'sast.uploadReport',
        state: 'done',
        phase: 'writing',
        done: 3,
        steps: 3,
        instance: '-',
        lease_until: later,
        received_at: later,
        finished_at: later,
      },
    ],
    [
      'scan_jobs',
      {
        ...project,
        id,
        domain: 'code',
        hosted: false,
        status: 'done',
        source: 'a',
        red: 0,
        yellow: 0,
        green: 0,
        queued_at: later,
      },
    ],
    [
      'findings',
      {
        ...{ ...project, id, domain: 'code', source: 'a', tool: 'a', identity: hash, rule_id: 'a', title: 'A' },
        ...{ severity: 'low', tier: 'GREEN', state: 'open', details: {}, first_seen_at: later, last_seen_at: later },
        turns: ['2100-01-01'],
      },
    ],
    ['last_reports', { ...project, domain: 'code', source: 'a', tool: 'semgrep', scope: [], reported_at: later }],
    [
      'newest_reports',
      {
        ...project,
        domain: 'containers',
        source: 'a',
        tool: 'trivy',
        scope: ['image'],
        part: 'os',
        reported_at: later,
      },
    ],
    [
      'posture_counts',
      {
        ...{ ...project, domain: 'code', source: '', state: 'fixed', tier: 'RED', severity: 'low', band: '', count: 1 },
      },
    ],
    [
      'posture_days',
      { ...project, domain: 'code', day: '2024-01-01', tier: 'RED', appeared: 1, reopened: 0, resolved: 0, net: 1 },
    ],
    ['alert_events', { ...project, alert_id: id, at: later, kind: 'reopened', facts: {} }],
    // The package above has made the other.
    ['stack_counts', { ...project, change_set: 1, packages: 1, first_at: later, changed_at: later }],
    [
      'webhooks',
      {
        ...project,
        id,
        kind: 'generic',
        name: 'A',
        url: 'https://a.example/',
        events: [],
        enabled: true,
        revision: 1,
        created_at: later,
      },
    ],
    [
      'webhook_deliveries',
      {
        organisation_id,
        id,
        webhook_id: id,
        event: 'test',
        payload: {},
        status: 'queued',
        attempts: 0,
        created_at: later,
      },
    ],
  ]);
  return { organisationId: organisation_id, rows };
}

/** An insert of one row, its values as PostgreSQL reads them from JSON. */
export function insertion(table: string, row: Row): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  const record = sql`jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`;
  return sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${record}`;
}

/** Inserts an organisation's rows into the tables named. */
export async function insertAll(tx: Transaction, { rows }: TenantRows, tables: readonly string[]): Promise<void> {
  for (const [table, row] of rows) if (tables.includes(table)) await insertion(table, row).execute(tx);
}
