import { sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import type { Coverage } from '../../procedures/coverage.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Context } from '../api/handler.js';
import { coverageOfDomain, coverageWith, type FilterGaps, leftOut } from '../coverage/coverage.js';
import { exploitationGap } from '../coverage/feed-coverage.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { namedLike } from '../packages/named-like.js';
import { unknowns } from './alert-filters.js';
import { countAlerts, countHandled, countUnknown } from './list-alerts.js';
import { dependencyGaps, isHeld, notHeld } from './vulnerability-gaps.js';
import { loadVulnerabilityGroup } from './vulnerability-group.js';

type Filters = Omit<z.output<typeof alerts.list.input>, 'project_id' | 'group'>;
/** A count has no pages. */
const paging = { page: 1, page_size: 1 };

type Within = Pick<Context, 'tx' | 'now'>;

/** Answers the coverage of a list of alerts, or of verdicts on them, that has no rows. */
export async function alertsCoverage(
  { tx, now }: Within,
  scope: Scope,
  filters: Filters,
  others: readonly string[] = [],
): Promise<Coverage> {
  const gaps = [...others, ...(await filterGaps({ tx, now }, scope, filters))];
  if (filters.cve !== undefined) return coverageOfVulnerability({ tx, now }, scope, filters.cve, gaps);
  const asked = { scope, domain: 'dependencies' } as const;
  if (filters.package === undefined) return coverageWith(tx, asked, { open: 0, gaps }, now);
  const named = await namedPackage(tx, scope, filters.package);
  const left = leftOut(await countAlerts(tx, scope, { ...paging, package: filters.package, resolved: false }));
  return coverageWith(tx, asked, { ...named, open: 0, gaps: [...gaps, ...left, ...named.gaps] }, now);
}

async function filterGaps({ tx, now }: Within, scope: Scope, filters: Filters): Promise<string[]> {
  const gaps = leftOut(await countHandled(tx, scope, filters));
  if (filters.epss_min !== undefined) gaps.push(...(await exploitationGap(tx, 'epss', now)));
  if (filters.kev === true) gaps.push(...(await exploitationGap(tx, 'kev', now)));
  for (const name of ['usage', 'band', 'severity', 'epss_min', 'cwe'] as const) {
    if (filters[name] === undefined || filters[name] === 'unanalyzed') continue;
    const open = await countUnknown(tx, scope, filters, name);
    if (open > 0)
      gaps.push(
        `${formatCount(open)} open ${open === 1 ? 'alert has' : 'alerts have'} no known ${unknowns[name].what}`,
      );
  }
  return gaps;
}

/** As `find_exposed` says of dependencies. An open alert on it is left out by another filter. */
async function coverageOfVulnerability({ tx, now }: Within, scope: Scope, asked: string, others: readonly string[]) {
  const group = await loadVulnerabilityGroup(tx, asked);
  const open = await countAlerts(tx, scope, { ...paging, cve: asked, resolved: false });
  const { feeds, gaps } = await dependencyGaps(tx, { scope, asked, group, open, now });
  const known = isHeld(group) || open > 0;
  const all = [...(known ? [] : [notHeld(asked)]), ...others, ...leftOut(open), ...gaps];
  return coverageOfDomain('dependencies', false, { feeds, known, gaps: all });
}

/** Whether a part of a name is one of any tracked package. */
async function namedPackage(tx: Transaction, scope: Scope, part: string): Promise<FilterGaps> {
  const { rows } = await sql`
    select from tech_stack_items as item where ${isListed(scope, 'item')} and ${await namedLike(tx, 'item', part)} limit 1`.execute(
    tx,
  );
  return rows.length > 0 ? { gaps: [] } : { gaps: [`no tracked package is named like ${part}`], known: false };
}
