import { createHash } from 'node:crypto';
import type { WireReport } from '../analysis/site-evidence.js';
import type { Band, Verdict } from './verdicts.js';

/** The level of a result (SARIF 2.1.0, 3.27.10) for each band. */
const levels: Readonly<Record<Band, 'error' | 'warning' | 'note' | 'none'>> = {
  known_exploited: 'error',
  likely_exploitable: 'error',
  needs_review: 'warning',
  likely_not_exploitable: 'note',
  unanalyzed: 'none',
};

/**
 * Verdicts as a SARIF 2.1.0 log. Each is one result, at the places that import the package; where no file names the package,
 * at the lock file. An override to `NotExploitable` suppresses the result, with its reason.
 */
export function sarifLog(report: WireReport, verdicts: readonly Verdict[], version: string) {
  const rules = [...new Map(verdicts.map((verdict) => [ruleId(verdict), verdict])).values()];
  const ruleIndex = new Map(rules.map((verdict, index) => [ruleId(verdict), index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'reach', version, rules: rules.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        results: verdicts.map((verdict) => toResult(verdict, ruleIndex.get(ruleId(verdict)) ?? 0, report)),
      },
    ],
  };
}

/** The CVE, or the advisory's own id where it has none. */
export function ruleId({ cve, advisory_ids }: Pick<Verdict, 'cve' | 'advisory_ids'>): string {
  return cve ?? advisory_ids[0] ?? 'unknown';
}

function toRule(verdict: Verdict) {
  const { cvss } = verdict.evidence.exploit;
  return {
    id: ruleId(verdict),
    shortDescription: { text: `${ruleId(verdict)} in ${verdict.package.name}` },
    properties: {
      advisory_ids: verdict.advisory_ids,
      // GitHub's code scanning sorts by it.
      ...(cvss !== null && { 'security-severity': cvss.score.toFixed(1) }),
    },
  };
}

function toResult(verdict: Verdict, ruleIndex: number, report: WireReport) {
  const { evidence, override, band, effective_priority } = verdict;
  const { usage } = evidence;
  return {
    ruleId: ruleId(verdict),
    ruleIndex,
    level: levels[band],
    rank: effective_priority,
    message: { text: verdict.reasoning },
    locations: usage.sites.length === 0 ? lockfileLocations(report) : usage.sites.map(toLocation),
    partialFingerprints: {
      'postern/v1': createHash('sha256')
        .update(`${ruleId(verdict)} ${verdict.package.purl}`)
        .digest('hex'),
    },
    ...(override?.verdict === 'NotExploitable' && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: override.reason }],
    }),
    properties: {
      band,
      effective_priority,
      package: verdict.package.purl,
      versions: verdict.versions,
      usage: usage.class,
      confidence: usage.confidence,
      paths: usage.paths,
    },
  };
}

function lockfileLocations({ lockfiles }: WireReport) {
  return lockfiles.slice(0, 1).map(({ path }) => toLocation({ file: path, line: 1, column: 1 }));
}

function toLocation({ file, line, column }: { readonly file: string; readonly line: number; readonly column: number }) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn: column },
    },
  };
}
