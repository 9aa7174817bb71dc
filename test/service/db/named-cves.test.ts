import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../../src/service/db/migrations/index.js';
import { vulnerabilitiesNamed } from '../../../src/service/findings/named-vulnerabilities.js';
import { ownDatabase } from '../../support/own-database.js';
import { insertAll, newTenantRows } from './tenant-rows.js';

const findings = [
  { domain: 'containers', rule_id: 'CVE-2021-44228', title: 'fix of CVE-2021-45046', details: { cves: [] } },
  { domain: 'containers', rule_id: 'GHSA-jfh8-c2jp-5v3q', title: 'any', details: { cves: ['cve-2021-44228'] } },
  { domain: 'code', rule_id: 'R1', title: 'any', details: { message: 'see\nCVE-2021-44228, ghsa-JFH8-c2jp-5v3q.' } },
  {
    domain: 'code',
    rule_id: 'R1',
    title: 'any',
    details: { help_url: 'https://pkg.go.dev/vuln/GO-2021-0113', line: 1 },
  },
  { domain: 'code', rule_id: 'CVE-2021-45046', title: 'an incomplete fix of CVE-2021-44228', details: {} },
  { domain: 'code', rule_id: 'CVE-2021-44228-log4j-core', title: 'any', details: {} },
  {
    domain: 'code',
    rule_id: 'js/xss',
    title: 'no XCVE-2021-44228 or CVE-2021',
    details: { message: 'CVE-20214-4228' },
  },
  { domain: 'running_app', rule_id: '10003', title: 'Log4Shell (CVE-2021-44228)', details: { solution: 'none' } },
] as const;

test('findings that were there before the migration name what new ones do', async () => {
  const database = await ownDatabase();
  const tenant = newTenantRows();
  await database.system(async (tx) => {
    await insertAll(tx, tenant, ['organisations', 'members', 'project_groups', 'projects']);
    for (const statement of [
      ...['insert', 'update', 'delete'].map((each) => `drop function name_findings_${each}() cascade`),
      'drop table finding_names',
      'drop index findings_of_rule, advisories_by_alias, tech_stack_items_of_organisation',
      'alter table findings drop column named',
    ]) {
      await sql.raw(statement).execute(tx);
    }
    for (const [nth, { domain, rule_id, title, details }] of findings.entries()) {
      await sql`
        insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity, tier,
          state, details, first_seen_at, last_seen_at, turns)
        values (${tenant.organisationId}, (select id from projects), ${String(nth)}, ${domain}, 's', 't',
          decode(lpad(${String(nth)}, 64, '0'), 'hex'), ${rule_id}, ${title}, 'low', 'GREEN', 'open',
          ${JSON.stringify(details)}, now(), now(), turn('{}', now()))`.execute(tx);
    }
    await migrations['0012-named-cves']?.up(tx);
  });
  const { rows } = await database.system((tx) =>
    sql<{ named: string[]; names: string[] }>`
      select array(select unnest(named) order by 1) as named,
        array(select name from finding_names where finding_id = findings.id order by 1) as names
      from findings order by id`.execute(tx),
  );
  const expected = findings.map((finding) => vulnerabilitiesNamed(finding).sort());
  expect(rows).toEqual(expected.map((names) => ({ named: names, names })));
  expect(expected.map(({ length }) => length)).toEqual([0, 1, 2, 1, 0, 1, 0, 1]);
  await database.close();
});
