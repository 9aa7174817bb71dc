import type { Transaction } from '../db/database.js';
import type { Joint, JointFacts, StoredFacts } from '../findings/scan.js';
import { toolsSeeing } from '../findings/sightings.js';
import { type Intelligence, loadIntelligence } from './exploitation.js';
import { reportedFacts } from './finding-details.js';
import { joinFacts } from './join-facts.js';
import { evaluated } from './reported-findings.js';

/** What each scanner says of the finding, by its name. */
type Reports = Readonly<Record<string, StoredReport>>;
type StoredReport = Pick<StoredFacts, 'rule_id' | 'title' | 'details'>;

/** The facts of findings that several scanners see, from what each of them says. */
export async function joinFindings(tx: Transaction, joints: readonly Joint[]): Promise<JointFacts[]> {
  const joined = joints.map((joint) => {
    const reports = reportsOf(joint);
    const given = Object.keys(reports)
      .sort()
      .flatMap((tool) => reports[tool] ?? []);
    return { ...joinFacts(given), reports: given.length > 1 ? reports : null };
  });
  const named = joined.map(({ id, details }) => ({ id, cves: details.cves }));
  const intelligence: Intelligence = await loadIntelligence(tx, named);
  return joined.map(({ id, title, details, reports }) => ({
    title,
    ...evaluated({ id, cves: details.cves }, details, intelligence),
    reports,
  }));
}

/** A finding that one scanner sees has its facts in the row itself. */
function reportsOf({ stored, fresh, tools }: Joint): Reports {
  const known = stored.flatMap(({ reports, sightings, ...facts }): [string, StoredReport][] => {
    if (reports !== null) return Object.entries(reportedFacts.parse(reports));
    return toolsSeeing(sightings).map((tool) => [tool, withoutFeeds(facts)]);
  });
  const own: [string, StoredReport][] = fresh === null ? [] : [[fresh.seer.tool, withoutFeeds(fresh)]];
  return Object.fromEntries([...known, ...own].filter(([tool]) => tools.includes(tool)));
}

function withoutFeeds({ rule_id, title, details }: StoredReport): StoredReport {
  return { rule_id, title, details: { ...details, epss: null, kev: null } };
}
