import * as z from 'zod';
import { cut, jsonBytes } from '../shared/text/cut.js';
import { type Domain, domain, type RankedFinding, risk, worseFirst } from './risk.js';
import { tier, type usageClass } from './vulnerability.js';
import { id } from './wire.js';

/** A finding as a composite tells of it; texts are cut, so that ten of them are of a fixed size. */
export const topFinding = z.object({
  domain,
  project: z.object({ id, name: z.string() }),
  risk,
  why: z.string(),
  title: z.string(),
  tier,
  cve: z.string().nullable(),
  package: z.string().nullable(),
  location: z.string().nullable(),
  effective_priority: z.number().nullable(),
  epss: z.number().nullable(),
  kev: z.boolean(),
  id,
  tool: z.string().describe('shows more'),
});
type TopFinding = z.output<typeof topFinding>;

/** The tool that tells more of a finding. */
const tools = {
  dependencies: 'get_alert',
  code: 'list_sast_findings',
  running_app: 'list_dast_findings',
  containers: 'list_container_findings',
} as const satisfies Record<Domain, string>;

/** The `count` worst of several domains' findings, in a composite's words. */
export function worstOf(findings: readonly RankedFinding[], count: number): TopFinding[] {
  return findings.toSorted(worseFirst).slice(0, count).map(toTopFinding);
}

/** Bytes of one finding as JSON: ten, and the answer around them, stay under 1,500 tokens of 4 bytes. */
const maxBytes = 560;

/** Bytes of each text: as many as all of them leave room for. */
const textBytes = { most: 80, least: 16, step: 8 };

function toTopFinding(finding: RankedFinding): TopFinding {
  let bytes = textBytes.most;
  let told = tell(finding, bytes);
  while (jsonBytes(told) > maxBytes && bytes > textBytes.least) {
    bytes -= textBytes.step;
    told = tell(finding, bytes);
  }
  return told;
}

function tell(finding: RankedFinding, bytes: number): TopFinding {
  const { severity: _, usage: __, project, ...told } = finding;
  const cutIfAny = (text: string | null) => (text === null ? null : cut(text, bytes));
  return {
    ...told,
    project: { id: project.id, name: cut(project.name, bytes) },
    why: whyRanked(finding),
    title: cut(finding.title, bytes),
    cve: cutIfAny(finding.cve),
    package: cutIfAny(finding.package),
    location: cutIfAny(finding.location),
    tool: tools[finding.domain],
  };
}

/** Why a finding ranks where it does, in a few words: what puts it there, how it is used, and the measure it is ranked by. */
export function whyRanked(finding: RankedFinding): string {
  const words = [rankWords(finding), finding.usage && usageWords[finding.usage], measureWords(finding)];
  return words.filter((part) => part !== null).join('; ');
}

function rankWords({ risk, domain, usage }: RankedFinding): string | null {
  if (risk === 'known_exploited') return 'known to be exploited';
  if (risk !== 'reachable') return null;
  if (domain === 'code') return 'in production code';
  return usage === 'called' || usage === 'imported' ? null : 'ruled exploitable';
}

function measureWords({ risk, tier, severity, effective_priority, epss }: RankedFinding): string {
  const judged = `${tier}, ${severity} severity`;
  if (risk === 'critical') return epss === null ? judged : `${judged}; EPSS ${percent(epss)}`;
  return effective_priority === null ? judged : `EffectivePriority ${Number(effective_priority.toFixed(1))}`;
}

/** `94.4 %`; two digits of what is less than 0.1 %. */
function percent(probability: number): string {
  const value = probability * 100;
  return `${value >= 0.1 ? value.toFixed(1) : Number(value.toPrecision(2))} %`;
}

const usageWords = {
  called: 'called by reached code',
  imported: 'imported',
  transitive_only: 'used through other packages',
  dev_only: 'used in development only',
  not_used: 'not used',
} as const satisfies Record<z.infer<typeof usageClass>, string>;
