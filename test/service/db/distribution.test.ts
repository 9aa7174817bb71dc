import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { ownerColumn, tenantTables } from './catalogue.js';

interface Key {
  readonly table: string;
  readonly index: string;
  readonly columns: readonly string[];
}

/** Unique indexes, primary keys among them, of the tables that belong to organisations; or the other indexes of these. */
async function indexes({ unique }: { readonly unique: boolean }): Promise<Key[]> {
  const database = await testDatabase();
  const tables = await tenantTables(database);
  const { rows } = await database.system((tx) =>
    sql<Key>`select t.relname as table, i.relname as index,
        (select array_agg(a.attname::text order by k.at) from unnest(x.indkey::int[]) with ordinality k (attnum, at)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where x.indisunique = ${unique} and t.relnamespace = current_schema()::regnamespace and t.relname = any (${tables}::text[])
      order by 1, 2`.execute(tx),
  );
  return rows;
}

/** Foreign keys between tables of organisations that do not compare the organisation too. */
async function crossingReferences(): Promise<string[]> {
  const database = await testDatabase();
  const tables = await tenantTables(database);
  const { rows } = await database.system((tx) =>
    sql<{ name: string }>`select k.conname as name from pg_constraint k
        join pg_class t on t.oid = k.conrelid join pg_class o on o.oid = k.confrelid
      where k.contype = 'f' and t.relname = any (${tables}::text[]) and o.relname = any (${tables}::text[])
        and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'organisation_id'
          and a.attnum = any (k.conkey))
      order by 1`.execute(tx),
  );
  return rows.map(({ name }) => name);
}

/**
 * Whoever spreads the tables over several servers does it by organisation, and a unique key can then hold only if the organisation
 * is in it. These are the keys that would have to hold over all servers, and why.
 */
const overAllOrganisations: Readonly<Record<string, string>> = {
  'api_keys.api_keys_key_hash_key': 'a key says itself whose it is',
  'email_domains.email_domains_proven': 'the addresses of a domain are one organisation’s',
  'invites.invites_token_hash_key': 'an invite is accepted by somebody who has nothing but its token',
  'password_resets.password_resets_token_hash_key': 'a reset is used by somebody who has nothing but its token',
  'sessions.sessions_id_key': 'a session’s token is looked up before its organisation is known',
};

test('the unique keys of tenants’ tables begin with the organisation, but for those that must hold over all', async () => {
  const keys = await indexes({ unique: true });
  expect(keys.length).toBeGreaterThan(30);
  const others = keys.filter(({ table, columns }) => columns[0] !== ownerColumn(table));
  expect(others.map(({ table, index }) => `${table}.${index}`)).toEqual(Object.keys(overAllOrganisations).sort());
});

/** Without the organisation, an index answers one of them by reading the rows of all: only for those who ask for all. */
const ofAllOrganisations: Readonly<Record<string, string>> = {
  'alert_events.alert_events_by_age': 'events that are forgotten',
  'audit_outbox.audit_outbox_oldest': 'entries that wait for the operator’s sink',
  'alerts.alerts_by_cve': 'alerts that a feed’s news on a CVE concern',
  'container_images.container_images_removed': 'rows of a set, whose number is of all',
  'findings.findings_removed': 'rows of a set',
  'identities.identities_by_subject': 'the accounts of a person, of whom the issuer’s subject is known',
  'members.members_with_email': 'the accounts of an address, from which somebody signs in',
  'posture_counts.posture_counts_of_set': 'rows of a set',
  'posture_days.posture_days_of_set': 'rows of a set',
  'projects.projects_by_due_lists': 'projects for whose packages registries are asked',
  'projects.projects_removed': 'projects that are cleared',
  'reported_vulnerabilities.reported_vulnerabilities_removed': 'rows of a set',
  'sessions.sessions_by_expiry': 'sessions that have expired, deleted with sign-ins',
  'stack_counts.stack_counts_of_set': 'rows of a set',
  'tech_stack_items.tech_stack_items_removed': 'rows of a set',
  'unmatched_components.unmatched_components_removed': 'rows of a set',
  'uploads.uploads_finished': 'uploads that are forgotten',
  'uploads.uploads_leases': 'uploads that an instance has left',
  'usage_dependencies.usage_dependencies_removed': 'rows of a set',
  'verdicts.verdicts_expiring': 'overrides that end',
  'vex_documents.vex_documents_removed': 'rows of a set',
  'vex_proposals.vex_proposals_removed': 'rows of a set',
  'webhook_deliveries.webhook_deliveries_due': 'deliveries that are due',
  'webhook_deliveries.webhook_deliveries_oldest': 'deliveries that are forgotten',
};

test('the other indexes of tenants’ tables begin with the organisation, but for those of work for all of them', async () => {
  const others = await indexes({ unique: false });
  const ofAll = others.filter(({ table, columns }) => columns[0] !== ownerColumn(table));
  expect(ofAll.map(({ table, index }) => `${table}.${index}`)).toEqual(Object.keys(ofAllOrganisations).sort());
});

test('a row refers only to rows of its own organisation', async () => {
  expect(await crossingReferences()).toEqual([]);
});
