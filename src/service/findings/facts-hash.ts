import { hash } from 'node:crypto';
import type { JointFacts, ReportedFinding } from './scan.js';

/** Bytes of SHA-256 that are kept. Two facts of one finding are compared, so few are enough. */
const length = 12;

type Facts = Pick<ReportedFinding, 'identity' | 'part'> &
  Partial<JointFacts> &
  Pick<JointFacts, 'rule_id' | 'title'> & {
    readonly details: Readonly<Record<string, unknown>>;
  };

/** Of all that a scan writes of a finding, besides its state and its times. */
export function factsHash(facts: Facts): Buffer {
  const { identity, part = '', rule_id, title, severity, tier, cve, epss, kev_added, details, reports = null } = facts;
  const text = JSON.stringify([part, rule_id, title, severity, tier, cve, epss, kev_added, details, reports]);
  return hash('sha256', `${identity.toString('base64')} ${text}`, 'buffer').subarray(0, length);
}
