import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { alertResolution } from '../../../src/procedures/alerts.js';
import { apiKeyScope } from '../../../src/procedures/api-keys.js';
import { findingSeverity, findingState, scanStatus } from '../../../src/procedures/findings.js';
import { actorKind, addressProof, grantedRole, plan, role } from '../../../src/procedures/organisation.js';
import { domain } from '../../../src/procedures/risk.js';
import { domainProof, givenRole } from '../../../src/procedures/sign-in.js';
import { uploadPhase, uploadState } from '../../../src/procedures/uploads.js';
import { proposalState } from '../../../src/procedures/vex.js';
import { exposure, overrideVerdict, scope, severity, tier } from '../../../src/procedures/vulnerability.js';
import { deliveryStatus } from '../../../src/procedures/webhooks.js';
import { changeSetState } from '../../../src/service/db/tables/change-sets.js';
import { alertEventKind } from '../../../src/service/db/tables/projects.js';
import { nameKind } from '../../../src/service/db/tables/search.js';
import { confidences } from '../../../src/shared/vulnerability-terms.js';
import { testDatabase } from '../../support/database.js';

const scanned = domain.exclude(['dependencies']);

/**
 * The columns whose values the database checks, with the schema that lists them. The specification closes these lists. A
 * list that a plug-in can extend (webhook kinds, scanner modes and tools, ecosystems, sources of packages) has no check.
 */
const listed = {
  'advisories.severity': severity,
  'alert_events.kind': alertEventKind,
  'alerts.resolution': alertResolution,
  'alerts.severity': severity,
  'alerts.tier': tier,
  'api_keys.scope': apiKeyScope,
  'audit_log.actor_kind': actorKind,
  'change_sets.state': changeSetState,
  'email_domains.proven_by': domainProof,
  'findings.domain': scanned,
  'findings.severity': findingSeverity,
  'findings.state': findingState,
  'findings.tier': tier,
  'group_members.role': grantedRole,
  'invites.role': role,
  'issuers.default_role': givenRole,
  'members.proven_by': addressProof,
  'members.role': role,
  'organisations.plan': plan,
  'projects.exposure': exposure,
  'reported_vulnerabilities.severity': severity,
  'scan_jobs.domain': scanned,
  'scan_jobs.status': scanStatus,
  'searched_names.kind': nameKind,
  'tech_stack_items.scope': scope,
  'unmatched_components.scope': scope,
  'uploads.phase': uploadPhase,
  'uploads.state': uploadState,
  'usage_dependencies.confidence': z.enum(confidences),
  'usage_dependencies.scope': scope,
  'verdicts.override_verdict': overrideVerdict,
  'vex_proposals.state': proposalState,
  'vex_proposals.verdict': overrideVerdict,
  'webhook_deliveries.status': deliveryStatus,
};

/** Checks that list no values: a rule between columns, or on the form of one. */
const rules = [
  ...['alerts_check', 'alerts_resolved_check', 'email_domains_domain_check', 'findings_check', 'members_email_check'],
  ...['vex_proposals_check', 'webhooks_of_one', 'webhook_deliveries_of_one'],
];

test('every check of the database lists the values of the schema it repeats', async () => {
  const database = await testDatabase();
  const { rows } = await database.system((tx) =>
    sql<{ table: string; name: string; check: string }>`
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as check
      from pg_constraint
      where contype = 'c' and connamespace = current_schema()::regnamespace`.execute(tx),
  );
  const lists: Record<string, string[]> = {};
  for (const { table, name, check } of rows) {
    const [, column, values] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(check) ?? [];
    if (column === undefined || values === undefined) expect(rules).toContain(name);
    else lists[`${table}.${column}`] = [...values.matchAll(/'(\w+)'::text/g)].map(([, value = '']) => value).sort();
  }
  expect(lists).toEqual(
    Object.fromEntries(Object.entries(listed).map(([column, { options }]) => [column, [...options].sort()])),
  );
});
