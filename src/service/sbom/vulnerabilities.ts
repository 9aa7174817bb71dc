import type { Severity } from '../../shared/vulnerability-terms.js';
import { effectiveVerdict } from '../../verdict/band.js';
import { machineVerdict } from '../../verdict/machine-verdict.js';
import { advisoryPage } from '../intelligence/matched-advisory.js';
import type { InventoryAlert } from './inventory.js';
import { proposalOf } from './proposal.js';
import type { AnalyzedAlert } from './vulnerability-analysis.js';

/** CycloneDX's names. */
const severityNames: Record<Severity, string> = { low: 'low', moderate: 'medium', high: 'high', critical: 'critical' };

/** CycloneDX `vulnerability`. `projectRef` is affected where the package is no longer in the stack. */
export function toVulnerability({ alert, vex, purls }: AnalyzedAlert, projectRef: string) {
  const { id, vulnerability_id, title, advisory_ids } = alert;
  const proposal = alert.resolved_at === null ? proposalOf(alert, 'Update') : null;
  const properties = [...exploitProperties(alert), ...verdictProperties(alert)];
  return {
    'bom-ref': id,
    id: vulnerability_id,
    source: sourceOf(vulnerability_id),
    references: advisory_ids
      .filter((advisory) => advisory !== vulnerability_id)
      .map((advisory) => ({ id: advisory, source: sourceOf(advisory) })),
    ratings: ratingsOf(alert),
    description: title,
    ...(proposal !== null && { recommendation: proposal }),
    analysis: vex.cycloneDx,
    affects: (purls.length === 0 ? [projectRef] : purls).map((ref) => ({ ref })),
    ...(properties.length > 0 && { properties }),
  };
}

/** The database that describes a vulnerability, and its page. */
function sourceOf(id: string): { readonly name: string; readonly url?: string } {
  if (id.startsWith('CVE-')) return { name: 'NVD', url: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id)}` };
  const url = advisoryPage(id);
  return { name: id.slice(0, Math.max(id.indexOf('-'), 0)) || 'unknown', ...(url !== null && { url }) };
}

/** The advisory's CVSS score, or its label where it has no vector. EffectivePriority is not a rating of the advisory. */
function ratingsOf({ cvss_version, cvss_score, cvss_vector, severity, advisory_ids }: InventoryAlert) {
  const source = sourceOf(advisory_ids[0] ?? '');
  const label = severity === null ? {} : { severity: severityNames[severity] };
  if (cvss_score === null || cvss_version === null) return severity === null ? [] : [{ source, ...label }];
  const vector = cvss_vector === null ? {} : { vector: cvss_vector };
  return [{ source, score: cvss_score, ...label, method: methods[cvss_version] ?? 'other', ...vector }];
}

/** CycloneDX's names of the CVSS versions. */
const methods: Readonly<Record<string, string>> = {
  '2.0': 'CVSSv2',
  '3.0': 'CVSSv3',
  '3.1': 'CVSSv31',
  '4.0': 'CVSSv4',
};

interface Property {
  readonly name: string;
  readonly value: string;
}

function present(name: string, value: string | number | boolean | null | undefined): Property[] {
  return value === null || value === undefined ? [] : [{ name, value: String(value) }];
}

function exploitProperties({ tier, epss, epss_date, kev_added, malicious }: InventoryAlert): Property[] {
  return [
    ...present('postern:tier', tier),
    ...present('postern:epss', epss),
    ...present('postern:epss_date', epss_date),
    ...present('postern:kev_date_added', kev_added),
    ...(malicious ? present('postern:malicious', true) : []),
  ];
}

/** The machine's verdict as properties, not as `analysis`: an estimate must not be read as `not_affected`. */
function verdictProperties({ evidence, formula, resolved_at, override_verdict }: InventoryAlert): Property[] {
  if (evidence === null || formula === null || resolved_at !== null) return [];
  const machine = machineVerdict(evidence, formula);
  const effective = effectiveVerdict(machine, override_verdict);
  return [
    ...present('ep:formula', formula),
    ...present('ep:machine_score', machine.score),
    ...present('ep:machine_band', machine.band),
    ...present('ep:effective_score', effective.score),
    ...present('ep:effective_band', effective.band),
    ...present('ep:usage', evidence.usage.usage),
    ...present('ep:usage_confidence', evidence.usage.confidence),
    ...present('ep:attack_vector', evidence.exploit.attackVector),
    ...present('ep:exposure', evidence.exposure),
  ];
}
