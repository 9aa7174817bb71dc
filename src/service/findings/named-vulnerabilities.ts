import * as z from 'zod';
import { readVulnerabilityId, vulnerabilityIdsIn } from '../../shared/vulnerability-id.js';
import type { FindingRow } from './finding-row.js';

/** Ids of one finding. A message may list more; nobody reads them all. */
const maxNamed = 50;

/** Keys of `findings.details` that hold ids: the CVEs of a container finding, and what a rule's tags name. */
const ids = z.array(z.string()).optional().catch([]);
const listed = z.object({ cves: ids, vulnerabilities: ids });

type Finding = Pick<FindingRow, 'domain' | 'rule_id' | 'title'> & {
  readonly details: Readonly<Record<string, unknown>>;
};

/**
 * The vulnerabilities that a finding is about, besides its rule: for a finding in an image those that its report gives. So
 * also where the rule is itself a CVE or a GHSA, because texts mention other vulnerabilities too, such as one whose fix was
 * incomplete. Any other finding is about each vulnerability that its rule or its texts name.
 */
export function vulnerabilitiesNamed({ domain, rule_id, title, details }: Finding): string[] {
  const { cves = [], vulnerabilities = [] } = listed.parse(details);
  const given = [rule_id, ...cves, ...vulnerabilities].flatMap((id) => readVulnerabilityId(id) ?? []);
  const isRule = domain === 'containers' || /^(?:CVE|GHSA)-/i.test(rule_id);
  const texts = isRule
    ? [rule_id]
    : [rule_id, title, ...Object.values(details).filter((each) => typeof each === 'string')];
  const named = [...given, ...vulnerabilityIdsIn(texts.join('\n'), maxNamed)];
  return [...new Set(named)].filter((id) => id !== rule_id).slice(0, maxNamed);
}
