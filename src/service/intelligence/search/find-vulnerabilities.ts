import { sql } from 'kysely';
import { maxFound, maxFoundCount } from '../../../procedures/search.js';
import { readVulnerabilityId } from '../../../shared/vulnerability-id.js';
import { loadVulnerabilityGroup, type VulnerabilityGroup } from '../../alerts/vulnerability-group.js';
import type { Transaction } from '../../db/database.js';
import { inScope, isListed, type Scope } from '../../db/scope.js';
import type { AdvisoriesTable } from '../../db/tables/intelligence.js';
import { exposedRows } from '../exposed-rows.js';
import { findNames } from './names.js';
import type { Found, Search } from './search.js';

type FoundVulnerability = Found<'vulnerabilities'>['items'][number];

/**
 * The vulnerability with this very id, in any database and case, where anything is known of it; then those that the
 * organisation has anything about, by a part of one of their names.
 */
export async function findVulnerabilities(
  tx: Transaction,
  { needle, ...scope }: Search,
): Promise<Found<'vulnerabilities'>> {
  const asked = readVulnerabilityId(needle.toUpperCase());
  const exact = asked === null ? null : await describe(tx, scope, asked);
  const own = await ownVulnerabilities(tx, { ...scope, needle });
  const seen = new Set(exact === null ? [] : [exact.id, ...exact.aliases]);
  const others = own.filter((id) => !seen.has(id));
  const items = exact === null ? [] : [exact];
  for (const id of others) {
    if (items.length === maxFound) break;
    const described = await describe(tx, scope, id);
    if (described !== null && items.every((each) => each.id !== described.id)) items.push(described);
  }
  return { items, total: Math.min(maxFoundCount, others.length + (exact === null ? 0 : 1)) };
}

/** Ids of alerts, and those that scanners of images name their findings by. */
async function ownVulnerabilities(tx: Transaction, { needle, ...scope }: Search): Promise<string[]> {
  const hasAlert = sql<boolean>`exists (
    select from alerts where ${isListed(scope, 'alerts')} and alerts.vulnerability_id = known.part
  )`;
  const hasFinding = sql<boolean>`known.part = 'containers' and exists (
    select from findings where ${isListed(scope, 'findings')} and findings.rule_id = known.name
      and findings.domain = 'containers'
  )`;
  const named = await findNames(tx, { kind: 'vulnerability', needle }, hasAlert, maxFoundCount);
  const rules = await findNames(tx, { kind: 'rule', needle }, hasFinding, maxFoundCount);
  const byId = rules.map(({ name }) => name).filter((name) => name.toLowerCase().includes(needle));
  return [...new Set([...named.map(({ part }) => part), ...byId])];
}

/** The vulnerability under the name that most use: its CVE. Null where nothing is known of it. */
async function describe(tx: Transaction, scope: Scope, asked: string): Promise<FoundVulnerability | null> {
  const group = await loadVulnerabilityGroup(tx, asked);
  const exposed = await affected(tx, scope, group);
  if (group.advisories.length === 0 && !group.scored && exposed.rows === 0) return null;
  const facts = await factsOf(tx, group);
  const id = group.ids.find((each) => each.startsWith('CVE-')) ?? group.advisories[0]?.id ?? asked;
  return {
    id,
    aliases: group.ids.filter((each) => each !== id && (each !== asked.toUpperCase() || each === asked)),
    title: facts?.summary ?? exposed.title ?? id,
    severity: facts?.severity ?? null,
    kev: await isKnownExploited(tx, group),
    malicious: facts?.malicious ?? false,
    projects: exposed.projects,
  };
}

interface Exposed {
  /** Alerts and findings about it, resolved ones included. */
  readonly rows: number;
  /** Projects with one that is not resolved. */
  readonly projects: number;
  readonly title: string | null;
}

async function affected(tx: Transaction, scope: Scope, group: VulnerabilityGroup): Promise<Exposed> {
  const { projectId } = scope;
  const ofProject = projectId === undefined ? sql`true` : sql`exposed.project_id = ${projectId}`;
  const { rows } = await sql<Exposed>`
    select count(*)::integer as rows, count(distinct project_id) filter (where not resolved and not suppressed)::integer as projects,
      (select title from findings where ${inScope(scope, 'findings')} and domain = 'containers'
        and rule_id = any (${[...group.ids]}::text[]) limit 1) as title
    from (${exposedRows(scope, group)}) as exposed
    where ${ofProject}`.execute(tx);
  return rows[0] ?? { rows: 0, projects: 0, title: null };
}

type Facts = Pick<AdvisoriesTable, 'summary' | 'severity' | 'malicious'>;

/** Of the advisory that says most: one that counts, has a severity, and was published first. */
async function factsOf(tx: Transaction, { advisories }: VulnerabilityGroup): Promise<Facts | undefined> {
  const counting = advisories.filter(({ counts }) => counts);
  const ids = (counting.length > 0 ? counting : advisories).map(({ id }) => id);
  const { rows } = await sql<Facts>`
    select summary, severity, malicious from advisories where id = any (${ids}::text[])
    order by malicious desc, severity is null, summary = '', published, id limit 1`.execute(tx);
  return rows[0];
}

async function isKnownExploited(tx: Transaction, { ids }: VulnerabilityGroup): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from kev where cve = any (${[...ids]}::text[])) as known`.execute(tx);
  return rows[0]?.known === true;
}
