import { sql } from 'kysely';
import { maxFound, maxFoundCount } from '../../../procedures/search.js';
import type { Transaction } from '../../db/database.js';
import { isListed } from '../../db/scope.js';
import type { FindingRow } from '../../findings/finding-row.js';
import { findNames } from './names.js';
import { projectsOf } from './projects-of.js';
import type { Found, Search } from './search.js';

/** Rules whose findings are looked at. */
const maxRules = 20;

const columns = ['id', 'project_id', 'domain', 'rule_id', 'title', 'severity', 'tier', 'state', 'source'] as const;
type FoundFinding = Pick<FindingRow, (typeof columns)[number]>;

/** Findings whose rule or its title contains it: open ones first, the worst first. */
export async function findFindings(tx: Transaction, { needle, ...scope }: Search): Promise<Found<'findings'>> {
  const { organisationId } = scope;
  const ofRule = sql`${isListed(scope, 'findings')} and findings.rule_id = known.name and findings.domain = known.part`;
  const isThere = sql<boolean>`exists (select from findings where ${ofRule})`;
  const rules = await findNames(tx, { kind: 'rule', needle }, isThere, maxRules);
  const worst = sql`state_rank, (kev_added is null), tier_rank, probability desc, severity_rank, sort_name, id`;
  const { rows } = await sql<FoundFinding>`
    select found.* from unnest(
      ${rules.map(({ part }) => part)}::text[], ${rules.map(({ name }) => name)}::text[]
    ) as known (part, name)
    cross join lateral (
      select ${sql.join([...columns, 'state_rank', 'kev_added', 'tier_rank', 'probability', 'severity_rank', 'sort_name'].map((name) => sql.ref(name)))}
      from findings where ${ofRule} order by ${worst} limit ${maxFoundCount}
    ) as found
    order by ${worst} limit ${maxFoundCount}`.execute(tx);
  const shown = rows.slice(0, maxFound);
  const projectOf = await projectsOf(tx, organisationId, shown);
  const items = shown.map(({ id, project_id, domain, rule_id, title, severity, tier, state, source }) => ({
    ...{ id, project: projectOf(project_id), domain, rule_id, title, severity, tier, state, source },
  }));
  return { items, total: rows.length };
}
