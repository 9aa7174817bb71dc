import type { TopFinding } from '../../procedures/posture.js';
import type { Domain, RankedFinding } from '../../procedures/risk.js';
import { jsonBytes } from '../../shared/text/cut.js';
import { cutClean } from './cut-clean.js';
import { whyRanked } from './why-ranked.js';
import { worseFirst } from './worse-first.js';

/** The tool that shows more of a finding. */
const tools = {
  dependencies: 'get_alert',
  code: 'list_sast_findings',
  running_app: 'list_dast_findings',
  containers: 'list_container_findings',
} as const satisfies Record<Domain, string>;

/** The `count` worst of several domains' findings, as a composite shows them. */
export function worstOf(findings: readonly RankedFinding[], count: number): TopFinding[] {
  return findings.toSorted(worseFirst).slice(0, count).map(toTopFinding);
}

/** Bytes of one finding as JSON: ten, and the answer around them, stay under 1,500 tokens of 4 bytes. */
const maxBytes = 560;

/** Bytes of each text: as many as all of them leave room for. */
const textBytes = { max: 80, min: 16, step: 8 };

function toTopFinding(finding: RankedFinding): TopFinding {
  let bytes = textBytes.max;
  let shown = shorten(finding, bytes);
  while (jsonBytes(shown) > maxBytes && bytes > textBytes.min) {
    bytes -= textBytes.step;
    shown = shorten(finding, bytes);
  }
  return shown;
}

function shorten(finding: RankedFinding, bytes: number): TopFinding {
  const cutIfAny = (text: string | null) => (text === null ? null : cutClean(text, bytes));
  return {
    domain: finding.domain,
    project: { id: finding.project.id, name: cutClean(finding.project.name, bytes) },
    risk: finding.risk,
    why: whyRanked(finding),
    title: cutClean(finding.title, bytes),
    tier: finding.tier,
    cve: cutIfAny(finding.cve),
    package: cutIfAny(finding.package),
    location: cutIfAny(finding.location),
    effective_priority: finding.effective_priority,
    epss: finding.epss,
    kev: finding.kev,
    id: finding.id,
    tool: tools[finding.domain],
  };
}
